package splitblock

import (
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/rates"
	"github.com/simdbloom/simdbloom/internal/split"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with the
// same options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter
// holds.
//
// It accounts for the filter's exact size, for how n keys scatter over its blocks, and for keys whose bits
// are the same, because these come from 32 bits of a hash. It takes some microseconds, and with a limit far
// below 1 bit per key up to a millisecond.
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	p, err := chosen(bitsPerKey, building.Apply(options))
	if err != nil {
		return math.NaN()
	}
	if n <= 0 {
		return 0
	}
	body := split.Size(uint64(n), p.millibits, p.limit)
	if body > asm.MaxSplitBlockBytes {
		return math.NaN()
	}
	return split.PredictedFPR(body, uint64(n))
}

// BitsPerKeyFor returns the fewest bits per key, to a thousandth, at which a filter of n keys has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate: with 100 bits
// per key it is 1 in 8 million.
//
// It takes a fraction of a millisecond. PredictedFPR is the mean of all filters of n keys, and a single one's
// rate, which [simdbloom.Filter.EstimatedFPR] tells, differs from it: see [bloom.BitsPerKeyFor].
//
// [bloom.BitsPerKeyFor]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom#BitsPerKeyFor
func BitsPerKeyFor(n int, fpr float64) float64 {
	most := building.MostMillibits(func(millibits int) bool {
		return split.BodyBytes(uint64(max(n, 0)), millibits) <= asm.MaxSplitBlockBytes
	})
	probes := func(int) int { return split.NumProbes }
	return rates.LeastBitsPerKey(fpr, most, probes, func(millibits int) float64 {
		return PredictedFPR(n, float64(millibits)/1000)
	})
}
