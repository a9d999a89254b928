package linear

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// PredictedFPR returns the expected rate of a filter of n keys: NaN for what builders refuse.
func PredictedFPR(n int, bitsPerKey float64, o *building.Options) float64 {
	s, err := chosen(bitsPerKey, o)
	return rates.IfBuilt(n, err, func(keys uint64) float64 {
		p, _ := s.plan(keys)
		if p.Lines > MaxLines {
			return math.NaN()
		}
		return p.FPR(keys)
	})
}

// BitsPerKeyFor returns the fewest bits per key at which a filter of n keys has a rate of at most fpr, or NaN.
func BitsPerKeyFor(n int, fpr float64, o *building.Options) float64 {
	s, err := chosen(building.LeastBitsPerKey, o)
	if err != nil || math.IsNaN(fpr) {
		return math.NaN()
	}
	const least, most = 1000 * building.LeastBitsPerKey, MaxMillibits
	if n <= 0 {
		if fpr < 0 {
			return math.NaN()
		}
		return building.LeastBitsPerKey
	}
	keys := uint64(n)
	asked := func(millibits int) uint64 { return Asked(keys, uint64(millibits)) }
	suffice := func(lines uint64) bool {
		p, _ := Within(keys, lines, s.mostLines(), s.load)
		return p.Lines <= min(lines, MaxLines) && p.FPR(keys) <= fpr
	}
	millibits := least + sort.Search(most-least, func(i int) bool { return suffice(asked(least + i)) })
	lines := asked(millibits)
	if !suffice(lines) {
		return math.NaN()
	}
	// Longer fingerprints lower the rate, but fuller lines of the same fingerprints can, too, by less than a
	// hundredth. So fewer lines may suffice, by no more than a step between fingerprints.
	const steps, inSteps = 32, 1 << 10
	for step, i := max(lines/inSteps, 1), uint64(1); i <= steps && i*step < asked(millibits); i++ {
		if fewer := asked(millibits) - i*step; suffice(fewer) {
			lines = fewer
		}
	}
	return float64(least+sort.Search(most-least, func(i int) bool { return asked(least+i) >= lines })) / 1000
}
