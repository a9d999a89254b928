package linear

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/linearplan"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys: 0 without
// keys, NaN for arguments that NewBuilder refuses and for more keys than a filter holds.
//
// It is 2^-r, for the longest fingerprint, of r bits, that the keys leave room for. (One
// filter in hundreds of small ones has fingerprints one step shorter:
// [FingerprintBits].) It takes microseconds.
func PredictedFPR(n int, bitsPerKey float64) float64 { return predictedFPR(n, bitsPerKey) }

// PredictedFPRWithin is PredictedFPR of a filter that is built [simdbloom.WithMaxBytes](maxBytes). No
// number of keys is too large.
//
// Where the limit is below 7.3 bits per key, it is an estimate.
func PredictedFPRWithin(n int, bitsPerKey float64, maxBytes int) float64 {
	return predictedFPR(n, bitsPerKey, simdbloom.WithMaxBytes(maxBytes))
}

func predictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	_, p, err := chosen(bitsPerKey, options)
	if err != nil {
		return math.NaN()
	}
	if n <= 0 {
		return 0
	}
	r, lines := p.of(uint64(n))
	if lines > linearplan.MaxLines {
		return math.NaN()
	}
	return rates.Linear(r, linearplan.ShareLeft(r, uint64(n), lines))
}

// BitsPerKeyFor returns the fewest bits per key, to a thousandth, at which a filter of n keys has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate: 2^-31 is the lowest.
//
// It is never so low that NewBuilder would raise it: about 7.3, or up to half a line more
// in all, for every rate above 1 in 128. As a rate is a power of two, PredictedFPR is often
// lower than fpr. It takes up to a millisecond.
func BitsPerKeyFor(n int, fpr float64) float64 {
	if math.IsNaN(fpr) {
		return fpr
	}
	suffices := func(millibits uint64) bool {
		if n <= 0 {
			return fpr >= 0
		}
		r, lines := linearplan.Plan(uint64(n), millibits)
		return lines <= linearplan.MaxLines && rates.Linear(r, 0) <= fpr && !linearplan.IsRaised(uint64(n), millibits)
	}
	const least = 1000 * building.LeastBitsPerKey
	millibits := least + uint64(sort.Search(linearplan.MaxMillibits-least, func(i int) bool {
		return suffices(least + uint64(i))
	}))
	if !suffices(millibits) {
		return math.NaN()
	}
	return float64(millibits) / 1000
}
