package sliced

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
)

// SizeFor returns the size of a filter of a format that can be sliced, for [simdbloom.WithSizeBytes]: the smallest of
// eight sizes a doubling whose false-positive rate is at most fpr with the given number of keys. Filters of a few of
// these sizes have few shapes, and 6 % more bytes on average than they need.
//
// It is an error if the format cannot be sliced, if keys is negative, or if fpr is not above 0 and below 1, and one
// that wraps [simdbloom.ErrTooLarge] if the format has no such filter. It costs up to a millisecond.
func SizeFor(format simdbloom.Format, keys int, fpr float64) (int, error) {
	switch {
	case !sliceable(asm.Format(format)):
		return 0, fmt.Errorf("sliced: filters of the format %v cannot be sliced, only those of %s", format, sliceableNames())
	case keys < 0:
		return 0, fmt.Errorf("sliced: the number of keys must be at least 0, not %d", keys)
	case !(fpr > 0 && fpr < 1):
		return 0, fmt.Errorf("sliced: the false-positive rate must be above 0 and below 1, not %v", fpr)
	}
	of, _ := formats.AdderOf(asm.Format(format)) // each of these has one
	l, n := of.Layout, uint64(max(keys, 1))
	// No filter needs less than 1.44 bits per key for each halving of the rate.
	for blocks := sizeFrom(1.44 * float64(n) * math.Log2(1/fpr) / 8 / float64(l.BlockBytes)); blocks*l.BlockBytes <= l.MaxBodyBytes; blocks = sizeFrom(float64(blocks + 1)) {
		body := blocks * l.BlockBytes
		if of.PredictedFPR(body, l.NumProbes(building.RealMillibits(body, n)), n) <= fpr {
			return building.CheckSize(keys, body+uint64(l.Beside()), true, 0)
		}
	}
	return 0, fmt.Errorf("sliced: a filter of %d keys with a false-positive rate of %v is %w", keys, fpr, simdbloom.ErrTooLarge)
}

// sizeFrom returns the smallest of the sizes, in blocks, that is at least the given one: four binary digits and zeros.
func sizeFrom(blocks float64) uint64 {
	if blocks >= 1<<40 {
		return 1 << 40
	}
	n := uint64(max(math.Ceil(blocks), 1))
	step := uint64(1)
	for 16*step <= n-1 {
		step *= 2
	}
	return (n + step - 1) / step * step
}
