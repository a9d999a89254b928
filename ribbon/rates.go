package ribbon

import (
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected false-positive rate of a filter of n different keys that is built with
// the same options: 0 without keys, NaN for arguments that NewBuilder refuses and for more keys than a filter
// holds.
//
// It takes up to ten microseconds.
func PredictedFPR(n int, bitsPerKey float64, options ...simdbloom.Option) float64 {
	p, err := chosen(bitsPerKey, building.Apply(options))
	if err != nil {
		return math.NaN()
	}
	if n <= 0 {
		return 0
	}
	const middle = 1 << 63 // of first hashes, whose upper bits round the size
	s := p.size(uint64(n), middle)
	if s.blocks == 0 && !s.fits() {
		return math.NaN()
	}
	return s.predictedFPR(uint64(n))
}

// PredictedFPRWithin is PredictedFPR of a filter that is built [simdbloom.WithMaxBytes](maxBytes). No
// number of keys is too large.
//
// Far below 1 bit per key it takes up to a millisecond.
func PredictedFPRWithin(n int, bitsPerKey float64, maxBytes int) float64 {
	return PredictedFPR(n, bitsPerKey, simdbloom.WithMaxBytes(maxBytes))
}

// predictedFPR returns the expected rate of a filter of the size, which fits, and n keys.
func (s size) predictedFPR(n uint64) float64 {
	if s.blocks == 0 {
		return fastlocal.PredictedFPR(s.body, s.probes, n)
	}
	return rates.Ribbon(fallback.NewRibbonShape(s.body, s.blocks, 0))
}

// BitsPerKeyFor returns the fewest bits per key, to a thousandth, at which a filter of n keys has a
// PredictedFPR of at most fpr, or NaN, which NewBuilder refuses, if no setting has that rate.
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
