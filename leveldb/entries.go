package leveldb

import "math"

// EntriesFor returns how many keys a filter of the given number of bytes, trailer included, has
// room for. It returns 0 for arguments that NewBuilder refuses, and takes microseconds at most.
func EntriesFor(bytes int, bitsPerKey float64) int {
	whole, err := wholeBits(bitsPerKey)
	body := min(int64(max(bytes, 0))-trailerBytes, mostBodyBytes)
	if err != nil || body < leastBodyBits/8 {
		return 0
	}
	return int(min(8*body/whole, math.MaxInt))
}
