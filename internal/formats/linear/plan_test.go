package linear

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// TestAsTheNaivePlan compares plans and layers with the naive ones, for numbers of keys up
// to more than a filter can hold.
func TestAsTheNaivePlan(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for range 500 {
		keys := 1 + random.Uint64()>>(24+random.UintN(40))
		millibits := 500 + random.Uint64N(1<<random.UintN(20))
		asked := Asked(keys, millibits)
		if want := naive.LinearAsked(keys, millibits); asked != want {
			t.Fatalf("%d keys, %d millibits: %d lines, want %d", keys, millibits, asked, want)
		}
		load := []uint64{UsualLoad, LowLoad}[random.IntN(2)]
		p := Of(keys, asked, load)
		r, cut, lines := naive.LinearPlan(keys, asked, load)
		if want := (Plan{r, cut, lines}); p != want && (p.Lines <= MaxLines || lines < MaxLines) {
			t.Fatalf("%d keys, %d millibits: %+v, want %+v", keys, millibits, p, want)
		}
		left := 1 + random.Uint64N(min(2*lines, MaxLines))
		if got, want := p.NextLayer(keys, left), naive.LinearNextLayer(r, cut, keys, left); got != want {
			t.Fatalf("%+v, %d keys: a layer of %d of %d lines, want %d", p, keys, got, left, want)
		}
	}
}

func TestManyKeysDoNotOverflow(t *testing.T) {
	for _, keys := range []uint64{mostKeys - 1, mostKeys, math.MaxUint64} {
		for _, millibits := range []uint64{1, 7000, MaxMillibits, math.MaxUint64} {
			if lines := Asked(keys, millibits); lines != MaxLines && millibits > 1 {
				t.Errorf("%d keys, %d millibits: %d lines asked for", keys, millibits, lines)
			}
			if p := Of(keys, Asked(keys, millibits), UsualLoad); p.Bits != 7 || p.Cut != 0 || p.Lines <= MaxLines {
				t.Errorf("%d keys, %d millibits: %+v", keys, millibits, p)
			}
		}
	}
}

func TestRoot(t *testing.T) {
	for _, x := range []uint64{0, 1, 2, 3, 4, 8, 9, 15, 16, 17, 99, 100, 1<<40 - 1, 1 << 40, 1<<52 - 1} {
		if r := root(x); r*r > x || (r+1)*(r+1) <= x {
			t.Errorf("root of %d: %d", x, r)
		}
	}
}

// TestPlansWithinALimit goes through limits and bits per key: the plan is that of the lines asked for, if
// they suffice, or of the most.
func TestPlansWithinALimit(t *testing.T) {
	for _, keys := range []uint64{1, 10, 100, 777, 10_000, 1_000_000} {
		for _, millibits := range []uint64{500, 8000, 23_400, 60_000, MaxMillibits} {
			for _, most := range []uint64{1, 2, 15, 16, 17, 300, 5000, 1 << 16, MaxLines} {
				asked := Asked(keys, millibits)
				p, least := Within(keys, asked, most, LowLoad)
				if got := LinesWithin(keys, asked, most, LowLoad); got != p.Lines {
					t.Fatalf("%d keys, %d millibits, at most %d lines: %d lines, want %d", keys, millibits, most, got, p.Lines)
				}
				want := Of(keys, asked, LowLoad)
				if want.Lines > most {
					asked = most
					if want = Of(keys, most, LowLoad); want.Lines > most {
						want = Plan{Bits: 7, Lines: most}
					}
				}
				if p != want || least != asked {
					t.Errorf("%d keys, %d millibits, at most %d lines: %+v, want %+v", keys, millibits, most, p, want)
				}
			}
		}
	}
}

// TestFPR has the rates of docs/linear.md, and rises as lines become too few.
func TestFPR(t *testing.T) {
	for millibits, want := range map[uint64]float64{
		8_000: 5.069e-3, 10_000: 1.389e-3, 12_000: 3.891e-4, 14_000: 1.040e-4, 16_000: 2.599e-5,
		18_000: 7.212e-6, 20_000: 2.772e-6, 23_400: 2.496e-7, 26_000: 5.448e-8, 30_000: 5.298e-9,
	} {
		const keys = 1_000_000
		if rate := Of(keys, Asked(keys, millibits), UsualLoad).FPR(keys); math.Abs(rate-want) > want*1e-3 {
			t.Errorf("%d millibits: %v, want %v", millibits, rate, want)
		}
	}
	last := 0.0
	for lines := uint64(14_500); lines > 0; lines /= 2 {
		p, _ := Within(1_000_000, lines, lines, UsualLoad)
		rate := p.FPR(1_000_000)
		if room := 1 - float64(72*lines)/1e6; !(rate > last && rate < 1.01) || rate < room {
			t.Errorf("%d lines: %v, and room for %v", lines, rate, 1-room)
		}
		last = rate
	}
}

// TestPlansOfManyLines: filters of the fewest lines have an 8192nd more than planned, from manyLines on.
func TestPlansOfManyLines(t *testing.T) {
	for lines := uint64(manyLines - 2); lines <= manyLines+2; lines++ {
		none := func(keys int) bool {
			return !Plan{Bits: fallback.LeastLinearBits}.holds(uint64(keys), lines, UsualLoad)
		}
		most := uint64(sort.Search(min(mostKeys, math.MaxInt), none)) - 1
		more := Of(most, lines, UsualLoad).Lines - lines
		if lines < manyLines && more != 0 || lines >= manyLines && more < lines/8192 {
			t.Errorf("%d keys in %d lines: %d more", most, lines, more)
		}
		for keys := most - 3; keys <= most+3; keys++ {
			r, cut, want := naive.LinearPlan(keys, lines, UsualLoad)
			if p := Of(keys, lines, UsualLoad); p != (Plan{r, cut, want}) {
				t.Errorf("%d keys in %d lines: %+v, want %+v", keys, lines, p, Plan{r, cut, want})
			}
		}
	}
}

// TestFPROfLastLayers: lookups fall off the last layer only if the lines do not hold all keys.
func TestFPROfLastLayers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 74))
	for range 500 {
		keys := 1<<30 + random.Uint64N(1<<38)
		p := Of(keys, Asked(keys, 7000+random.Uint64N(40_000)), UsualLoad)
		if p.Lines > MaxLines {
			continue
		}
		least, most := math.Ldexp(1, -longerBits(p.Bits)), math.Ldexp(1, -p.Bits)
		if rate := p.FPR(keys); !(least <= rate && rate <= most) {
			t.Errorf("%d keys, %+v: %v is not from %v to %v", keys, p, rate, least, most)
		}
	}
}
