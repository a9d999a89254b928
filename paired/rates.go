package paired

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/paired"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with
// the same options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter
// holds. With [simdbloom.WithMaxBytes] no number of keys is too large.
//
// It accounts for the filter's exact size, for how n keys scatter over its lines, for how lines are paired, and
// for the 32 bits of a hash that a key's positions in its lines come from: 40 bits per key have a rate of 2e-8, and
// 60 still 5e-9. It costs about half a millisecond, with a limit far below 1 bit per key up to ten. It is within 3 %
// of the measured rate, wherever that was measured to 1 % (docs/accuracy.md).
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	return paired.PredictedFPR(n, bitsPerKey, building.Apply(options))
}

// BitsPerKeyFor returns the bits per key, to a thousandth, of the smallest filter of n keys that has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate. Of the settings of that
// size it is the one with the lowest rate.
//
// It costs up to 20 milliseconds.
//
// PredictedFPR is the mean of all filters of n keys. A single filter's rate, which
// [simdbloom.Filter.EstimatedFPR] estimates, differs from it: at 10 to 23.4 bits per key by a
// standard deviation of 1 to 4 % with 10,000 keys, and about 1 % with 100,000.
//
// Paired or FastLocal (package [bloom])? For a million keys, bits per key:
//
//	rate         1 in 10   1 in 100   1 in 1,000   1 in 10,000   1 in 100,000
//	FastLocal       4.84       9.92        15.55         22.03          29.76
//	Paired          4.92       9.83        14.62         19.53          24.58
//
// Up to 12 bits per key they need nearly the same memory, and FastLocal is faster: use FastLocal there, and Paired
// above. Paired reads a second cache line for present keys. (Measured: docs/accuracy.md.)
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
func BitsPerKeyFor(n int, fpr float64, options ...simdbloom.Option) float64 {
	return paired.BitsPerKeyFor(n, fpr, building.Apply(options))
}
