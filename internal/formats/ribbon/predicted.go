package ribbon

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected rate of a filter of n keys: NaN for what builders refuse.
func PredictedFPR(n int, bitsPerKey float64, o *building.Options) float64 {
	p, err := chosen(bitsPerKey, o)
	return rates.IfBuilt(n, err, func(keys uint64) float64 {
		const middle = 1 << 63 // of first hashes, whose upper bits round the size
		s := p.size(keys, middle)
		if s.blocks == 0 && !s.fits() {
			return math.NaN()
		}
		return s.predictedFPR(keys)
	})
}

// predictedFPR returns the expected rate of a filter of the size, which fits, and n keys.
func (s size) predictedFPR(n uint64) float64 {
	if s.blocks == 0 {
		return fastlocal.PredictedFPR(s.body, s.probes, n)
	}
	return rateOf(fallback.NewRibbonShape(s.body, s.blocks, 0))
}

// BitsPerKeyFor returns the fewest bits per key at which a filter of n keys has a rate of at most fpr, or NaN.
func BitsPerKeyFor(n int, fpr float64) float64 {
	most := building.MostMillibits(func(millibits int) bool {
		return n <= mostKeys || fastlocal.Layout.BodyBytes(uint64(n), millibits) <= asm.MaxBodyBytes
	})
	o := &building.Options{Concurrency: 1}
	return rates.LeastBitsPerKey(fpr, most, fastlocal.NumProbes, func(millibits int) float64 {
		return PredictedFPR(n, float64(millibits)/1000, o)
	})
}
