package bitsandblooms

// ReadLength is what finds out the byte order.
var ReadLength = readLength
