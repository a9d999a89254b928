package ribbon

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// EstimatedFPR returns the filter's false-positive rate: that of its columns for a Ribbon
// filter, computed from the bits that are set for a FastLocal filter, 0 for an empty filter, 1 for
// one that may contain everything. It reads the whole of a FastLocal filter, and nothing of others.
func (f *Filter) EstimatedFPR() float64 {
	switch f.kind {
	case Ribbon:
		return ribbonFPR(f.kernel.ribbon.Shape())
	case FastLocal:
		return fastlocal.EstimatedFPR(f.body, f.probes)
	case Empty:
		return 0
	default:
		return 1
	}
}

// ribbonFPR returns the rate of a filter with a column at least: every column halves it.
func ribbonFPR(shape asm.RibbonShape) float64 {
	starts := shape.Slots() - (asm.RibbonBlockSlots - 1)
	fewer := float64(shape.Fewer()) * asm.RibbonBlockSlots / float64(starts)
	return math.Ldexp(fewer, 1-shape.Columns()) + math.Ldexp(1-fewer, -shape.Columns())
}

// PredictedFPR returns the expected false-positive rate of a filter of n different
// keys. It is 0 without keys, and NaN for arguments that NewBuilder refuses and for
// more keys than a filter can hold.
//
// It takes up to ten microseconds.
func PredictedFPR(n int, bitsPerKey float64) float64 { return predictedFPR(n, bitsPerKey) }

// PredictedFPRWithin is PredictedFPR of a filter that is built
// [WithMaxBytes](maxBytes). It is NaN for arguments that NewBuilder refuses, but never
// because of the number of keys.
//
// Far below 1 bit per key it takes up to a millisecond.
func PredictedFPRWithin(n int, bitsPerKey float64, maxBytes int) float64 {
	return predictedFPR(n, bitsPerKey, WithMaxBytes(maxBytes))
}

func predictedFPR(n int, bitsPerKey float64, options ...Option) float64 {
	o, err := chosen(bitsPerKey, options)
	if err != nil {
		return math.NaN()
	}
	if n <= 0 {
		return 0
	}
	const middle = 1 << 63 // of first hashes, whose upper bits round the size
	p := o.plan(uint64(n), middle)
	if p.blocks == 0 {
		if !p.fits() {
			return math.NaN()
		}
		return fastlocal.PredictedFPR(p.body, p.probes, uint64(n))
	}
	return ribbonFPR(asm.NewRibbonShape(p.body, p.blocks, 0))
}

// BitsPerKeyFor returns the least number of bits per key, to a thousandth, at which
// a filter of n keys has a PredictedFPR of at most fpr. It is +Inf, which NewBuilder
// refuses, if no number is enough, and NaN if fpr is NaN.
//
// Of less than 1,000 keys the filter may be a FastLocal one, and the rate jumps between the two:
// there, fewer bits per key than it returns may be enough. It takes a millisecond or two.
func BitsPerKeyFor(n int, fpr float64) float64 {
	most := building.MostMillibits(func(millibits int) bool {
		return n <= mostKeys || fastlocal.BodyBytes(uint64(n), millibits) <= asm.MaxBodyBytes
	})
	return rates.LeastBitsPerKey(fpr, most, fastlocal.NumProbes, func(millibits int) float64 {
		return PredictedFPR(n, float64(millibits)/1000)
	})
}
