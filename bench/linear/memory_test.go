package main

import (
	"math"
	"testing"

	"github.com/FastFilter/xorfilter"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestMemoryOfBinaryFuse: the plot's formula is the library's.
func TestMemoryOfBinaryFuse(t *testing.T) {
	for _, keys := range []int{100, 178, 316, 1000, 3162, 10_000, 56_234, 100_000, 1_000_000} {
		f, err := xorfilter.NewBinaryFuse[uint8](vectors.Hashes(1, keys))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fuseOver(keys), float64(len(f.Fingerprints))/float64(keys); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d keys: %v times the least memory, want %v", keys, got, want)
		}
	}
}
