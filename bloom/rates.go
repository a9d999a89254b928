package bloom

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/rates"
)

const blockBits = 8 * asm.BlockBytes

// EstimatedFPR returns the share of absent keys that Contains answers true for,
// from the bits that are really set: 0 for an empty filter, 1 for one that may
// contain everything. It reads the whole filter.
func (f *Filter) EstimatedFPR() float64 {
	body, k := f.reader.Body(), f.reader.Probes()
	if len(body) == 0 {
		return f.reader.FixedRate()
	}
	sum := 0.0
	for at := 0; at < len(body); at += asm.BlockBytes {
		sum += rates.Power(rates.Fill(body[at:at+asm.BlockBytes], 0), k)
	}
	return sum / float64(len(body)/asm.BlockBytes)
}

// PredictedFPR returns the share of absent keys that a filter of n different
// keys is expected to answer true for. It goes by the size that the filter will
// really have and by how n keys scatter over its blocks. It is 0 without keys,
// and NaN for bits per key that NewBuilder refuses and for more keys than a
// filter can hold. It takes about ten microseconds.
func PredictedFPR(n int, bitsPerKey float64) float64 {
	millibits, err := building.Millibits(bitsPerKey)
	if err != nil {
		return math.NaN()
	}
	if n <= 0 {
		return 0
	}
	f := newFormat(millibits)
	size := f.BodyBytes(uint64(n))
	if size > f.MaxBodyBytes() {
		return math.NaN()
	}
	blocks := size / asm.BlockBytes
	sum := 0.0
	rates.Binomial(uint64(n), 1/float64(blocks), func(keys int, probability float64) {
		sum += probability * rates.AllSet(blockBits, float64(keys*f.probes), f.probes)
	})
	return math.Min(sum, 1)
}

// BitsPerKeyFor returns the least number of bits per key, to a thousandth, at
// which PredictedFPR(n, bitsPerKey) is at most fpr. It is +Inf, which NewBuilder
// refuses, if no number does it, and NaN if fpr is. It takes less than a millisecond.
func BitsPerKeyFor(n int, fpr float64) float64 {
	most := building.MostMillibits(uint64(max(n, 0)), func(millibits int) building.Format { return newFormat(millibits) })
	return rates.LeastBitsPerKey(fpr, most, numProbes, func(bitsPerKey float64) float64 {
		return PredictedFPR(n, bitsPerKey)
	})
}
