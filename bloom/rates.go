package bloom

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with
// the same options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter
// holds. With [simdbloom.WithMaxBytes] no number of keys is too large.
//
// It accounts for the filter's exact size, for how n keys scatter over its blocks, and for the 32 bits of a hash that
// a key's positions in its block come from: with many keys, even 100 bits per key have a rate of 2e-9. It costs about
// ten microseconds, with a limit far below 1 bit per key up to a millisecond. It is within 3 % of the measured rate,
// wherever that was measured to 1 % (docs/accuracy.md).
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	return rates.Predicted(&fastlocal.Layout, n, bitsPerKey, building.Apply(options), fastlocal.PredictedFPR)
}

// BitsPerKeyFor returns the fewest bits per key, to a thousandth, at which a filter of n keys has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate.
//
// It costs a millisecond or two.
//
// PredictedFPR is the mean of all filters of n keys. A single filter's rate, which
// [simdbloom.Filter.EstimatedFPR] estimates, differs from it: at 10 to 23.4 bits per key by a
// standard deviation of 5 to 29 % with 1,000 keys, 2 to 9 % with 10,000, and at most
// 3 % with 100,000.
//
// Above 10 bits per key, package paired's filter needs fewer: 14.62 instead of 15.55 for
// a rate of 1 in 1,000, 19.53 instead of 22.03 for 1 in 10,000. [paired.BitsPerKeyFor]
// compares the two.
//
// [paired.BitsPerKeyFor]: https://pkg.go.dev/github.com/simdbloom/simdbloom/paired#BitsPerKeyFor
func BitsPerKeyFor(n int, fpr float64) float64 {
	return rates.BitsPerKeyFor(&fastlocal.Layout, n, fpr, fastlocal.PredictedFPR)
}

// bitsPerKeyForFPR is BitsPerKeyFor with an error for rates that no filter has. 0 keys count as 1.
func bitsPerKeyForFPR(keys int, fpr float64) (bitsPerKey float64, err error) {
	if !(fpr > 0 && fpr < 1) {
		err = fmt.Errorf("simdbloom: the false-positive rate must be above 0 and below 1, not %v", fpr)
	} else if bitsPerKey = BitsPerKeyFor(max(keys, 1), fpr); math.IsNaN(bitsPerKey) {
		err = fmt.Errorf("simdbloom: no filter of %d keys has a false-positive rate of %v", keys, fpr)
	}
	return bitsPerKey, err
}
