package linear

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/linear"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with the same
// options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter holds. With
// [simdbloom.WithMaxBytes] no number of keys is too large: with a limit below 7.35 bits per key it is an estimate.
//
// It is exact for the filter that is planned. Filters of up to 32 lines mostly have lower rates. Of 2,500 to 10,000
// keys one in 23 has more than 1.05 times the prediction; no filter of 100 keys or more has 1.25 times. Of fewer keys,
// one filter in 30,000 has two or four times: its keys do not fit one line with the fingerprints that nearly all others
// have ([docs/accuracy.md]). [simdbloom.Filter.EstimatedFPR] is exact for the filter.
//
// PredictedFPR costs about ten microseconds.
//
// [docs/accuracy.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/accuracy.md#linear-filters-and-their-plans
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	return linear.PredictedFPR(n, bitsPerKey, building.Apply(options))
}

// BitsPerKeyFor returns the fewest bits per key, to a thousandth, at which a filter of n keys has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate: 2^-32 is the lowest.
//
// It is never so low that NewBuilder would raise it: about 7.35, or 7.65 with [WithFasterLookups], or up to half a
// line more in all, for every rate above 1 in 128. It costs a few milliseconds.
func BitsPerKeyFor(n int, fpr float64, options ...simdbloom.Option) float64 {
	return linear.BitsPerKeyFor(n, fpr, building.Apply(options))
}
