package bitsandblooms

// Remainder returns x modulo m as lookups compute it.
func Remainder(x, m uint64) uint64 {
	f := newFilter(nil, m, 1, true)
	at, bit := f.place(x)
	return (at-headerBytes)*8 + bit
}

// ReadLength is what finds out the byte order.
var ReadLength = readLength
