package bitsandblooms

// New makes a filter of m bits and k probes.
var New = newMutable

// ReadLength is what finds out the byte order.
var ReadLength = readLength
