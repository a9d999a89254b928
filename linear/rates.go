package linear

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/linearplan"
)

// rate returns the false-positive rate of fingerprints of r bits, if the given share of
// lookups falls off the last layer.
func rate(r int, left float64) float64 {
	own := math.Ldexp(1, -r)
	return own + (1-own)*left
}

// EstimatedFPR returns the filter's false-positive rate: 2^-r if fingerprints have r bits,
// and 0 for a filter without keys.
//
// Lookups that no layer answers raise it. They exist only if [WithMaxBytes] left less than
// 7.3 bits per key, or if hashes were chosen to collide. To see that there are none takes one
// small layer; otherwise it reads a byte of every line.
func (f *Filter) EstimatedFPR() float64 {
	if f.layers == 0 {
		return 0
	}
	left, end := 1.0, len(f.body)
	layers := f.kernel.Layers()
	for i := len(layers) - 1; i >= 0 && left > 0; i-- {
		begin := end - int(layers[i])*asm.BlockBytes
		left *= shareBelow(f.body[begin:end])
		end = begin
	}
	return rate(f.r, left)
}

// shareBelow returns the share of hashes whose place in the order of their line is below
// the line's threshold.
func shareBelow(body []byte) float64 {
	sum := uint64(0)
	for at := asm.BlockBytes - 1; at < len(body); at += asm.BlockBytes {
		sum += uint64(asm.LinearPlacesBelow(body[at]))
	}
	return float64(sum) / float64(len(body))
}

// PredictedFPR returns the expected false-positive rate of a filter of n different
// keys. It is 0 without keys, and NaN for arguments that NewBuilder refuses and for
// more keys than a filter can hold.
//
// It is 2^-r, for the longest fingerprint, of r bits, that the keys leave room for. (One
// filter in hundreds of small ones has fingerprints one step shorter:
// [Filter.FingerprintBits].) It takes microseconds.
func PredictedFPR(n int, bitsPerKey float64) float64 { return predictedFPR(n, bitsPerKey) }

// PredictedFPRWithin is PredictedFPR of a filter that is built
// [WithMaxBytes](maxBytes). It is NaN for arguments that NewBuilder refuses, but never
// because of the number of keys.
//
// Where the limit is below 7.3 bits per key, it is an estimate.
func PredictedFPRWithin(n int, bitsPerKey float64, maxBytes int) float64 {
	return predictedFPR(n, bitsPerKey, WithMaxBytes(maxBytes))
}

func predictedFPR(n int, bitsPerKey float64, options ...Option) float64 {
	o, err := chosen(bitsPerKey, options)
	if err != nil {
		return math.NaN()
	}
	if n <= 0 {
		return 0
	}
	r, lines := o.plan(uint64(n))
	if lines > linearplan.MaxLines {
		return math.NaN()
	}
	return rate(r, linearplan.ShareLeft(r, uint64(n), lines))
}

// BitsPerKeyFor returns the least number of bits per key, to a thousandth, at which
// a filter of n keys has a PredictedFPR of at most fpr. It is +Inf, which NewBuilder
// refuses, if no number is enough, and NaN if fpr is NaN.
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
		return lines <= linearplan.MaxLines && rate(r, 0) <= fpr && !linearplan.IsRaised(uint64(n), millibits)
	}
	const least = 1000 * building.LeastBitsPerKey
	millibits := least + uint64(sort.Search(linearplan.MaxMillibits-least, func(i int) bool {
		return suffices(least + uint64(i))
	}))
	if !suffices(millibits) {
		return math.Inf(1)
	}
	return float64(millibits) / 1000
}
