package leveldb

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected rate of a filter of n keys: NaN for what builders refuse.
func PredictedFPR(n int, bitsPerKey float64, o *building.Options) float64 {
	p, err := chosen(bitsPerKey, o)
	return rates.IfBuilt(n, err, p.predictedFPR)
}

func (p plan) predictedFPR(keys uint64) float64 {
	body, probes := p.size(keys)
	if body > MostBodyBytes {
		return math.NaN()
	}
	return Predicted(keys, body, probes)
}

// BitsPerKeyFor returns the fewest bits per key at which a filter of n keys has a rate of at most fpr, or NaN.
func BitsPerKeyFor(n int, fpr float64) float64 {
	rate := func(bitsPerKey int) float64 {
		return rates.IfBuilt(n, nil, plan{bitsPerKey: int64(bitsPerKey)}.predictedFPR)
	}
	for b := 1; b < mostProbesFrom; b++ {
		if rate(b) <= fpr {
			return float64(b)
		}
	}
	// From here on the number of probes is the same, and more bits only help.
	b := sort.Search(mostSearched, func(b int) bool { return b >= mostProbesFrom && !(rate(b) > fpr) })
	if rate(b) <= fpr {
		return float64(b)
	}
	return math.NaN()
}

const (
	mostProbesFrom = 44   // bits per key
	mostSearched   = 1000 // with this many, the hash alone matters
)
