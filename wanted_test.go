package simdbloom

import (
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestWantedPacks clears bits one by one: hashes are packed as soon as more than an eighth
// of those that are looked up is no longer wanted, and no sooner.
func TestWantedPacks(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, fewWanted, fewWanted + 1, 300} {
		all := vectors.Hashes(3, n)
		bitmap := make([]uint64, (n+63)/64)
		for i := range bitmap {
			bitmap[i] = ^uint64(0)
		}
		var room *wantedMemory
		if n <= fewWanted {
			room = new(wantedMemory)
		}
		w := newWanted(all, bitmap, room)
		if !w.Update() || &w.Hashes()[0] != &all[0] || len(w.Hashes()) != n {
			t.Errorf("%d hashes are not looked up where they are", n)
		}
		wanted := slices.Clone(all)
		for left := n - 1; left >= 0; left-- {
			i := (left * 7) % len(wanted)
			place := slices.Index(all, wanted[i])
			wanted = slices.Delete(wanted, i, i+1)
			bitmap[place/64] &^= 1 << (place % 64)
			before := len(w.Hashes())
			if w.Update() != (left > 0) {
				t.Fatalf("%d of %d hashes: wrong report", left, n)
			}
			packed := len(w.Hashes()) != before
			if packed != (left < before-before/8) || packed && !slices.Equal(w.Hashes(), wanted) {
				t.Fatalf("%d of %d hashes: %d were looked up, then %d", left, n, before, len(w.Hashes()))
			}
		}
	}
}
