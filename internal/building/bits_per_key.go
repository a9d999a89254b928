package building

import (
	"fmt"
	"math"
	"sort"
)

const (
	// LeastBitsPerKey is the least that makes a filter; what is below 1 counts
	// as 1.
	LeastBitsPerKey = 0.5
	// MostBitsPerKey is what more counts as.
	MostBitsPerKey = 100
)

// Millibits returns bits per key in thousandths, sanitized as RocksDB does
// (table/block_based/filter_policy.cc, BloomLikeFilterPolicy), but for what
// makes no filter or is no number: that is an error here.
func Millibits(bitsPerKey float64) (int, error) {
	if !(bitsPerKey >= LeastBitsPerKey) || math.IsInf(bitsPerKey, 1) {
		return 0, fmt.Errorf("%v bits per key, not %v or more", bitsPerKey, LeastBitsPerKey)
	}
	// The conversion keeps the product and the sum from being fused, which some
	// architectures would do and RocksDB's do not: the bytes depend on it.
	product := float64(min(max(bitsPerKey, 1), MostBitsPerKey) * 1000)
	return int(product + 0.500001), nil
}

// MostMillibits returns the most bits per key, in thousandths, that the format
// has room for with so many hashes.
func MostMillibits(hashes uint64, format func(millibits int) Format) int {
	return sort.Search(1000*MostBitsPerKey, func(millibits int) bool {
		f := format(millibits + 1)
		return f.BodyBytes(hashes) > f.MaxBodyBytes()
	})
}

// mostHashes is more than any filter holds, and so few that their bits can be
// counted in 64 bits.
const mostHashes = 1 << 40

// TotalMillibits returns what so many hashes take, in thousandths of bits.
// Beyond 2^40 hashes it no longer grows.
func TotalMillibits(hashes uint64, millibits int) uint64 {
	return min(hashes, mostHashes) * uint64(millibits)
}
