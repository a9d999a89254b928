package keyhash_test

import (
	"math"
	"testing"

	"github.com/simdbloom/simdbloom/keyhash"
)

// TestWrongOffsetsAreFound, whatever is beside them: negative ones between others, and ones that are right only as 32
// bits of a sum.
func TestWrongOffsetsAreFound(t *testing.T) {
	data := make([]byte, 8)
	for _, offsets := range [][]int32{
		{0, math.MaxInt32, math.MinInt32, -1, 3},
		{0, -1, 3},
		{-1, 3},
		{0, 3, 2},
		{0, 3, 9},
		{math.MinInt32, 0},
		{0, math.MinInt32, 8},
		{0, math.MaxInt32, 8},
	} {
		var wide []int64
		for _, offset := range offsets {
			wide = append(wide, int64(offset))
		}
		if _, err := keyhash.Strings(offsets, data); err == nil {
			t.Errorf("offsets %d, of 32 bits: no error", offsets)
		}
		if _, err := keyhash.Strings(wide, data); err == nil {
			t.Errorf("offsets %d, of 64 bits: no error", offsets)
		}
	}
	for _, offsets := range [][]int64{{0, math.MaxInt64, math.MinInt64, -1, 3}, {0, 1 << 32, 3}, {1 << 32, 1<<32 + 3}} {
		if _, err := keyhash.Strings(offsets, data); err == nil {
			t.Errorf("offsets %d: no error", offsets)
		}
	}
}
