package linearplan

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestAsTheNaivePlan compares plans and layers with the naive ones, for numbers of keys up
// to more than a filter can hold.
func TestAsTheNaivePlan(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for range 500 {
		keys := 1 + random.Uint64()>>(24+random.UintN(40))
		millibits := 500 + random.Uint64N(1<<random.UintN(20))
		r, lines := Plan(keys, millibits)
		wantR, wantLines := naive.LinearPlan(keys, millibits)
		if r != wantR || lines != wantLines {
			t.Fatalf("%d keys, %d millibits: R %d, %d lines; want %d, %d", keys, millibits, r, lines, wantR, wantLines)
		}
		left := 1 + random.Uint64N(min(2*lines, MaxLines))
		if got, want := NextLayer(r, keys, left), naive.LinearNextLayer(r, keys, left); got != want {
			t.Fatalf("R %d, %d keys: a layer of %d of %d lines, want %d", r, keys, got, left, want)
		}
	}
}

func TestPlansOfTheVectors(t *testing.T) {
	for _, v := range vectors.LinearFilters() {
		if v.N == 0 {
			continue
		}
		r, lines := Plan(uint64(v.N), v.Millibits())
		sum := uint64(0)
		for _, layer := range v.Layers {
			sum += uint64(layer)
		}
		if r < v.R || v.Kind == "random" && r != v.R || sum > lines {
			t.Errorf("%s, n=%d: R %d and %d lines, want %d and at least %d", v.Kind, v.N, r, lines, v.R, sum)
		}
	}
}

func TestManyKeysDoNotOverflow(t *testing.T) {
	for _, keys := range []uint64{mostKeys - 1, mostKeys, math.MaxUint64} {
		for _, millibits := range []uint64{1, 7000, MaxMillibits, math.MaxUint64} {
			if r, lines := Plan(keys, millibits); r != 7 || lines <= MaxLines {
				t.Errorf("%d keys, %d millibits: R %d, %d lines", keys, millibits, r, lines)
			}
		}
	}
}

func TestRoot(t *testing.T) {
	for _, x := range []uint64{0, 1, 2, 3, 4, 8, 9, 15, 16, 17, 99, 100, 1<<40 - 1, 1 << 40, 1<<62 - 1, 1 << 62} {
		if r := root(x); r*r > x || (r+1)*(r+1) <= x {
			t.Errorf("root of %d: %d", x, r)
		}
	}
}

// TestPlansWithinALimit goes through limits and bits per key: the plan has the most bits per
// key that the limit allows.
func TestPlansWithinALimit(t *testing.T) {
	for _, keys := range []uint64{1, 10, 100, 777, 10_000, 1_000_000} {
		for _, millibits := range []uint64{500, 8000, 23_400, 60_000, MaxMillibits} {
			for _, most := range []uint64{1, 2, 15, 16, 17, 300, 5000, 1 << 16, MaxLines} {
				r, lines := PlanWithin(keys, millibits, most)
				if got := LinesWithin(keys, millibits, most); got != lines {
					t.Fatalf("%d keys, %d millibits, at most %d lines: %d lines, want %d", keys, millibits, most, got, lines)
				}
				least, needed := Plan(keys, 0)
				wantR, wantLines := least, most
				if needed <= most {
					for m := millibits; ; m = m * 999 / 1000 {
						if wantR, wantLines = Plan(keys, m); wantLines <= most {
							break
						}
					}
				}
				if lines > most || lines < wantLines || r < wantR {
					t.Errorf("%d keys, %d millibits, at most %d lines: R %d, %d lines; want %d, %d",
						keys, millibits, most, r, lines, wantR, wantLines)
				}
			}
		}
	}
}

func TestShareLeft(t *testing.T) {
	for _, keys := range []uint64{1, 100, 10_000, 1_000_000} {
		for _, millibits := range []uint64{500, 8000, 23_400, 60_000} {
			if r, lines := Plan(keys, millibits); ShareLeft(r, keys, lines) != 0 {
				t.Errorf("%d keys, %d millibits: not all are expected to have room", keys, millibits)
			}
		}
	}
	last := 0.0
	for lines := uint64(14_000); lines > 0; lines /= 2 {
		share := ShareLeft(7, 1_000_000, lines)
		if room := 1 - float64(72*lines)/1e6; !(share > last && share < 1) || share < room {
			t.Errorf("%d lines: %v left, and room for %v", lines, share, 1-room)
		}
		last = share
	}
}
