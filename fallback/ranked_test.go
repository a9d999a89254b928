package fallback

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRankedAsSortedStably(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for round := range 5000 {
		counts := make([]uint16, []int{32, 128}[round%2])
		least := r.Uint32N(1 << 16)
		spread := min(1+r.Uint32N(1<<r.UintN(17)), 1<<16-least)
		for i := range counts {
			counts[i] = uint16(least + r.Uint32N(spread))
		}
		if round%7 == 0 { // one far from all others
			counts[r.IntN(len(counts))] = uint16(r.Uint32())
		}
		want := make([]uint8, len(counts))
		for i := range want {
			want[i] = uint8(i)
		}
		slices.SortStableFunc(want, func(a, b uint8) int { return cmp.Compare(counts[a], counts[b]) })
		ranks := ranked(counts)
		if !slices.Equal(ranks[:len(counts)], want) {
			t.Fatalf("other order of %d", counts)
		}
	}
}
