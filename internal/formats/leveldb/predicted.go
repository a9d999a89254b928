package leveldb

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/internal/building"
)

// PredictedFPR returns the expected rate of a filter of n keys: NaN for what builders refuse.
func PredictedFPR(n int, bitsPerKey float64, o *building.Options) float64 {
	p, err := chosen(bitsPerKey, o)
	if err != nil {
		return math.NaN()
	}
	return p.predictedFPR(n)
}

func (p plan) predictedFPR(n int) float64 {
	if n <= 0 {
		return 0
	}
	body, probes := p.size(uint64(n))
	if body > MostBodyBytes {
		return math.NaN()
	}
	return Predicted(uint64(n), body, probes)
}

// BitsPerKeyFor returns the fewest bits per key at which a filter of n keys has a rate of at most fpr, or NaN.
func BitsPerKeyFor(n int, fpr float64) float64 {
	if math.IsNaN(fpr) {
		return fpr
	}
	suffices := func(b int) bool { return plan{bitsPerKey: int64(b)}.predictedFPR(n) <= fpr }
	for b := 1; b < mostProbesFrom; b++ {
		if suffices(b) {
			return float64(b)
		}
	}
	// From here on the number of probes is the same, and more bits only help.
	b := mostProbesFrom + sort.Search(mostSearched-mostProbesFrom, func(i int) bool {
		return !(plan{bitsPerKey: int64(mostProbesFrom + i)}.predictedFPR(n) > fpr)
	})
	if suffices(b) {
		return float64(b)
	}
	return math.NaN()
}

const (
	mostProbesFrom = 44   // bits per key
	mostSearched   = 1000 // with this many, the hash alone matters
)
