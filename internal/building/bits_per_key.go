package building

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

const (
	// LeastBitsPerKey is the least that makes a filter; values below 1 count as 1.
	LeastBitsPerKey = 0.5
	// MostBitsPerKey is the most; higher values count as it.
	MostBitsPerKey = 100
)

// Millibits returns bits per key in thousandths, sanitized as RocksDB does
// (table/block_based/filter_policy.cc, BloomLikeFilterPolicy). Values that make no filter
// are an error here, as are infinity and NaN.
func Millibits(bitsPerKey float64) (int, error) {
	if err := CheckBitsPerKey(bitsPerKey); err != nil {
		return 0, err
	}
	// The conversion keeps the product and the sum from being fused, which some
	// architectures would do and RocksDB's do not: the bytes depend on it.
	product := float64(min(max(bitsPerKey, 1), MostBitsPerKey) * 1000)
	return int(product + 0.500001), nil
}

// CheckBitsPerKey returns an error for values that make no filter, infinity and NaN.
func CheckBitsPerKey(bitsPerKey float64) error {
	if math.IsNaN(bitsPerKey) {
		return errors.New("bits per key are NaN: no setting has that rate")
	}
	if !(bitsPerKey >= LeastBitsPerKey) || math.IsInf(bitsPerKey, 1) {
		return fmt.Errorf("bits per key must be at least %v and finite, not %v", LeastBitsPerKey, bitsPerKey)
	}
	return nil
}

// MostMillibits returns the most bits per key, in thousandths, at which a filter fits. If
// it does not fit at some bits per key, it fits at no more.
func MostMillibits(fits func(millibits int) bool) int {
	return sort.Search(1000*MostBitsPerKey, func(millibits int) bool { return !fits(millibits + 1) })
}

// RealMillibits returns how many bits a body has for each of its hashes, in
// thousandths, as RocksDB counts them (GetNumProbes in
// table/block_based/filter_policy.cc). They may be less than a bit, down to 0; more
// than MostBitsPerKey count as that.
func RealMillibits(bodyBytes, hashes uint64) int {
	return int(min(bodyBytes*8000/max(hashes, 1), 1000*MostBitsPerKey))
}

// mostHashes is more than any filter holds, and few enough for their bits to be counted
// in 64 bits.
const mostHashes = 1 << 40

// TotalMillibits returns the size of all hashes in thousandths of bits. Beyond 2^40 hashes
// it no longer grows.
func TotalMillibits(hashes uint64, millibits int) uint64 {
	return min(hashes, mostHashes) * uint64(millibits)
}
