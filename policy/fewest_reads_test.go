package policy

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFewestReadsOfAllChoices compares with every combination of choices.
func TestFewestReadsOfAllChoices(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		levels := make([][]choice, 1+random.IntN(4))
		for i := range levels {
			levels[i] = []choice{{rate: 1}}
			for range random.IntN(5) {
				last := levels[i][len(levels[i])-1]
				levels[i] = append(levels[i], choice{last.millibits + 1, last.bytes + float64(1+random.IntN(4)), last.rate * random.Float64()})
			}
		}
		bytes := float64(random.IntN(20))
		var least func(levels [][]choice, bytes float64) float64
		least = func(levels [][]choice, bytes float64) (rate float64) {
			if len(levels) == 0 {
				return 0
			}
			rate = math.Inf(1)
			for _, c := range levels[0] {
				if c.bytes <= bytes {
					rate = min(rate, c.rate+least(levels[1:], bytes-c.bytes))
				}
			}
			return rate
		}
		want, got, size := least(levels, bytes), 0.0, 0.0
		for _, c := range fewestReads(levels, bytes) {
			got, size = got+c.rate, size+c.bytes
		}
		if size > bytes || got > want/(1-looseness) {
			t.Fatalf("%+v: %v reads in %v bytes, and %v in %v are possible", levels, got, size, want, bytes)
		}
	}
}

// TestChoicesOfALevel: no filter has a rate of 1 in no bytes, and larger ones have ever lower rates.
func TestChoicesOfALevel(t *testing.T) {
	m := FastLocal(10).menu(10_000, 1000)
	choices := m.of(1000, 10_000, 100)
	if choices[0] != (choice{rate: 1}) || len(choices) < 20 {
		t.Errorf("%d choices from %+v on", len(choices), choices[0])
	}
	for i, c := range choices[1:] {
		if last := choices[i]; c.bytes <= last.bytes || c.rate >= last.rate || c.bytes > m.bytes {
			t.Errorf("%+v after %+v", c, last)
		}
	}
}

// TestFewestReadsOfWholeFilters: the filter that saves the most reads for a byte leaves no room for the two others,
// which save more together.
func TestFewestReadsOfWholeFilters(t *testing.T) {
	small := []choice{{rate: 1}, {1000, 5, 0.45}}
	best := fewestReads([][]choice{small, {{rate: 1}, {1000, 6, 0.33}}, small}, 10)
	if len(best) != 3 || best[0] != small[1] || best[1].bytes != 0 || best[2] != small[1] {
		t.Errorf("%+v", best)
	}
}
