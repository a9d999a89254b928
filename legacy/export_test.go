package legacy

// SizeOf returns the size of a filter of n keys, which a test would have to add.
func SizeOf(bitsPerKey float64, n int) uint64 {
	o, err := chosen(bitsPerKey, nil)
	if err != nil {
		panic(err)
	}
	lines, _ := o.size(n)
	return lines*64 + trailerBytes
}
