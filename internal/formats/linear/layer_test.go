package linear

import (
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// TestLengths: the table has the lengths that package fallback does.
func TestLengths(t *testing.T) {
	for r := range lengths {
		if got, want := slots(r), uint64(fallback.LinearSlotsOf(r)); got != want {
			t.Errorf("R %d: %d slots, want %d", r, got, want)
		}
		if slots(r) == 0 {
			continue
		}
		if got, want := [2]int{shorterBits(r), longerBits(r)}, [2]int{fallback.LinearShorter(r), fallback.LinearLonger(r)}; got != want {
			t.Errorf("R %d: the next lengths are %d, want %d", r, got, want)
		}
	}
}

// TestBumped: sections bump the number of keys that the naive plan has, by each number of its table.
func TestBumped(t *testing.T) {
	const lines = 1 << 16
	for r := fallback.MostLinearBits; r > 0; r = fallback.LinearShorter(r) {
		for load := uint64(1); load <= 52; load++ { // in 32nds of a key per slot
			keys := lines * slots(r) * load / 32
			if got, want := bumped(r, keys, lines), naive.LinearBumped(r, keys, lines); got != want {
				t.Errorf("R %d, %d keys in %d lines: %d are bumped, want %d", r, keys, lines, got, want)
			}
		}
	}
}

// TestLayersOfAboutOneLine: as many keys as a line very likely holds take one line, whatever number
// of lines is left. One key more may take several.
func TestLayersOfAboutOneLine(t *testing.T) {
	for r := fallback.MostLinearBits; r > 0; r = fallback.LinearShorter(r) {
		p := Plan{Bits: r}
		held := p.heldByOne()
		for left := uint64(1); left <= 8; left++ {
			for keys := held - 1; keys <= held; keys++ {
				if got := p.NextLayer(keys, left); got != [2]uint32{0, 1} {
					t.Errorf("R %d, %d keys: a layer of %d of %d lines, want 1", r, keys, got, left)
				}
			}
			if got, want := p.NextLayer(held+1, left), naive.LinearNextLayer(r, 0, held+1, left); got != want {
				t.Errorf("R %d, %d keys: a layer of %d of %d lines, want %d", r, held+1, got, left, want)
			}
		}
	}
}
