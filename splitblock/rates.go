package splitblock

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/splitblock"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with the
// same options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter
// holds.
//
// It accounts for the filter's exact size, for how n keys scatter over its blocks, and for keys whose bits
// are the same, because these come from 32 bits of a hash. It costs some microseconds, and with a limit far
// below 1 bit per key up to a millisecond.
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	return rates.Predicted(&splitblock.Layout, n, bitsPerKey, building.Apply(options), splitblock.PredictedFPR)
}

// BitsPerKeyFor returns the fewest bits per key, to a thousandth, at which a filter of n keys has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate: with 100 bits
// per key it is 1 in 8 million.
//
// It costs a fraction of a millisecond. PredictedFPR is the mean of all filters of n keys, and a single one's
// rate, which [simdbloom.Filter.EstimatedFPR] tells, differs from it: see [bloom.BitsPerKeyFor].
//
// [bloom.BitsPerKeyFor]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom#BitsPerKeyFor
func BitsPerKeyFor(n int, fpr float64) float64 {
	return rates.BitsPerKeyFor(&splitblock.Layout, n, fpr, splitblock.PredictedFPR)
}
