package ribbon

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/ribbon"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with
// the same options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter
// holds. With [simdbloom.WithMaxBytes] no number of keys is too large.
//
// It costs up to ten microseconds, and with a limit far below 1 bit per key up to a millisecond.
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	return ribbon.PredictedFPR(n, bitsPerKey, building.Apply(options))
}

// BitsPerKeyFor returns the fewest bits per key, to a thousandth, at which a filter of n keys has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate.
//
// Of less than 1,000 keys the filter may be a FastLocal one, and the rate jumps between the two:
// there, fewer bits per key than it returns may be enough. It costs a millisecond or two.
func BitsPerKeyFor(n int, fpr float64) float64 {
	return ribbon.BitsPerKeyFor(n, fpr)
}
