package blobloom

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with the same
// options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter holds.
//
// It accounts for the filter's exact size, for how n keys scatter over its blocks, and for keys whose bits are the
// same, because these come from 18 bits of a hash. It costs about ten microseconds.
//
// The module's FPRate counts k probes where there are k-1, and no keys whose bits are the same.
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	return rates.Predicted(&blobloom.Layout, n, bitsPerKey, building.Apply(options), blobloom.PredictedFPR)
}

// BitsPerKeyFor returns the fewest bits per key, to a thousandth, at which a filter of n keys has a PredictedFPR of
// at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate.
//
// It costs a millisecond or two. PredictedFPR is the mean of all filters of n keys, and a single one's rate, which
// [simdbloom.Filter.EstimatedFPR] tells, differs from it: see [bloom.BitsPerKeyFor].
//
// [bloom.BitsPerKeyFor]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom#BitsPerKeyFor
func BitsPerKeyFor(n int, fpr float64) float64 {
	return rates.BitsPerKeyFor(&blobloom.Layout, n, fpr, blobloom.PredictedFPR)
}
