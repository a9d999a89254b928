package parquet

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// mostFilterBytes is the size of the largest filter that all readers take: Arrow, parquet-java and
// arrow-go refuse larger ones.
const mostFilterBytes = 128 << 20

// NewFilter returns the filter of a column chunk whose values have the given hashes, from [AppendHashes],
// any number of times each. Its size is the least power of two, which Arrow C++ and others require, in which its
// false-positive rate is at most fpr; or 128 MiB. For other sizes, see package splitblock.
//
// Of a column of floating-point numbers that has one zero, add the hash of the zero of the other sign, too: they are
// equal, but not in a filter, and readers may look up one of them only.
//
// Nobody has to know how many of the values are different: the filter is made for all of them, and folded. An fpr that
// is not between 0 and 1 is an error.
func NewFilter(hashes []uint64, fpr float64) (*simdbloom.Filter, error) {
	if !(fpr > 0 && fpr < 1) {
		return nil, fmt.Errorf("parquet: the false-positive rate must be between 0 and 1, not %v", fpr)
	}
	const bitsPerKey = 32 // of a number of keys that has exactly the size
	m, err := splitblock.NewMutable(8*FilterBytes(len(hashes), fpr)/bitsPerKey, bitsPerKey, keyhash.XX64)
	if err != nil {
		return nil, err
	}
	m.AddHashes(hashes)
	m.FoldTo(fpr)
	return m.CopyAligned(), nil
}

// mostBitsPerKey is the most that makes filters better.
const mostBitsPerKey = 100

// FilterBytes returns the least power of two, from 32 to 128 MiB, in bytes, in which a filter of n different
// values is expected to have at most the given false-positive rate, or a rate of 1 in 8 million if that is higher.
func FilterBytes(n int, fpr float64) int {
	bitsPerKey := splitblock.BitsPerKeyFor(n, fpr)
	if math.IsNaN(bitsPerKey) {
		bitsPerKey = mostBitsPerKey
	}
	size := 32
	for size < mostFilterBytes && float64(size) < bitsPerKey*float64(n)/8 {
		size *= 2
	}
	return size
}
