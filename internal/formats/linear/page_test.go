package linear

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
)

// planningOnThePage is what paged implements, line by line. Whoever changes it changes both.
const planningOnThePage = `
    plan(n, t): R = the largest for which leastLoad(n, t, 80) > 0 with j = 0
                j = 0 for R = 32, else found by bisection, where j holds if leastLoad(n, t, 80) > 0:
                  j = 0, no = 64; while no - j > 1: middle = (j + no) / 2; if it holds: j = middle, else: no = middle
                  for more = 1 to 4, while j + more < 64: if j + more holds: j = j + more, and more begins again at 1
                T = max(t, fewest(n)) if R = 7, j = 0 and t >= 2^17, else t
                if there is no such R: R = 7, j = 0, T = fewest(n)

    fewest(n):             total(n, 80) with R = 7, j = 0, plus its 8192nd part from 2^17 on; at most 2^32-1
    leastLoad(k, t, most): the least load, 16 to most, with total(k, load) <= t, or 0     (in 1/64 keys per slot)
    j(k):                  0 if k <= 16m, else j
    multiplier(R, k, load): ceil(64k / (load*m(R)))
    MA(k, load):           multiplier(R+, k, load) if j(k) > 0, else 0
    MB(k, load):           multiplier(R, k, load)
    A(k, load), B(k, load): the lines of sections with these multipliers and jl = j(k)
    total(k, load):
      sum = 0
      16 times: if k = 0: return sum;  if k <= m-3: return sum+1
                sum += A(k, load) + B(k, load);  ka = k*j(k)/64
                e = bumped(R, k-ka, B(k, load)), and if ka > 0: plus bumped(R+, ka, A(k, load))
                k = min(k, e + square root of e, rounded down)
      return infinite
    nextLayer(k, t):
      if t = 1 or k <= m-3: return 0, 1
      load = leastLoad(k, t, 88)
      if load = 0: return 0, t - (t+3)/4
      if A(k, load) + B(k, load) < t: return MA(k, load), MB(k, load)
      return 0, min(MB(k, load), t-1)
    bumped(R, k, lines):
      s = lines*m(R);  d = (k<<16)/s;  i = d>>12
      i < 8:    ceil(k*y[0] / 65536)
      i >= 22:  k - min(k, s*22*(65536-y[14]) >> 20)
      else:     ceil(k*(y[i-8] + ((y[i-7]-y[i-8]) * (d mod 4096) >> 12)) / 65536)
`

// paged plans as docs/linear.md says, and not as the code does. most is 80 or 64.
type paged struct {
	r, j int
	most uint64
}

func (p paged) plan(n, t uint64) (r, j int, lines uint64) {
	for r := 32; r >= 7; r-- {
		if r == 27 || r == 29 || r == 31 || p.with(r, 0).leastLoad(n, t, p.most) == 0 {
			continue
		}
		j, no := 0, 64
		holds := func(j int) bool { return p.with(r, j).leastLoad(n, t, p.most) > 0 }
		for r < 32 && no-j > 1 {
			if middle := (j + no) / 2; holds(middle) {
				j = middle
			} else {
				no = middle
			}
		}
		for more := 1; r < 32 && more <= 4 && j+more < 64; {
			if holds(j + more) {
				j, more = j+more, 1
			} else {
				more++
			}
		}
		if r == 7 && j == 0 && t >= 1<<17 {
			return r, j, max(t, p.fewest(n))
		}
		return r, j, t
	}
	return 7, 0, p.fewest(n)
}

func (p paged) with(r, j int) paged { return paged{r, j, p.most} }

func (p paged) fewest(n uint64) uint64 {
	total := p.with(7, 0).total(n, p.most)
	if total >= 1<<17 {
		total += total / 8192
	}
	return min(total, 1<<32-1)
}

func (p paged) leastLoad(k, t, most uint64) uint64 {
	for load := uint64(16); load <= most; load++ {
		if p.total(k, load) <= t {
			return load
		}
	}
	return 0
}

func (p paged) cut(k uint64) uint64 {
	if k <= 16*pagedM(p.r) {
		return 0
	}
	return uint64(p.j)
}

func pagedM(r int) uint64 {
	q := min(8, 64/r)
	return uint64(8*q + min(8, (512-8*q*r)/r))
}

func (p paged) longer() int {
	if p.r == 26 || p.r == 28 || p.r == 30 {
		return p.r + 2
	}
	return p.r + 1
}

func pagedMultiplier(r int, k, load uint64) uint64 { return ceil(64*k, load*pagedM(r)) }

func (p paged) multipliers(k, load uint64) (ma, mb uint64) {
	if p.cut(k) > 0 {
		ma = pagedMultiplier(p.longer(), k, load)
	}
	return ma, pagedMultiplier(p.r, k, load)
}

func (p paged) lines(k, load uint64) (a, b uint64) {
	ma, mb := p.multipliers(k, load)
	return ceil(ma*p.cut(k), 64), ceil(mb*(64-p.cut(k)), 64)
}

func (p paged) total(k, load uint64) (sum uint64) {
	for range 16 {
		if k == 0 {
			return sum
		}
		if k <= pagedM(p.r)-3 {
			return sum + 1
		}
		a, b := p.lines(k, load)
		sum += a + b
		ka := k * p.cut(k) / 64
		e := pagedBumped(p.r, k-ka, b)
		if ka > 0 {
			e += pagedBumped(p.longer(), ka, a)
		}
		k = min(k, e+uint64(math.Sqrt(float64(e))))
	}
	return 1 << 62
}

func (p paged) nextLayer(k, t uint64) (ma, mb uint64) {
	if t == 1 || k <= pagedM(p.r)-3 {
		return 0, 1
	}
	load := p.leastLoad(k, t, 88)
	if load == 0 {
		return 0, t - (t+3)/4
	}
	ma, mb = p.multipliers(k, load)
	if a, b := p.lines(k, load); a+b < t {
		return ma, mb
	}
	return 0, min(mb, t-1)
}

func pagedBumped(r int, k, lines uint64) uint64 {
	y := lengths[r].bumped
	s := lines * pagedM(r)
	d := k << 16 / s
	switch i := d >> 12; {
	case i < 8:
		return ceil(k*y[0], 65536)
	case i >= 22:
		return k - min(k, s*22*(65536-y[14])>>20)
	default:
		return ceil(k*(y[i-8]+(y[i-7]-y[i-8])*(d%4096)>>12), 65536)
	}
}

// TestPlanningOnThePage compares plans and layers with the page's: at random, and where lines are nearly 2^17 or the
// most.
func TestPlanningOnThePage(t *testing.T) {
	text, err := os.ReadFile("../../../docs/linear.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), planningOnThePage) {
		t.Error("docs/linear.md, Planning, is not what this test implements")
	}
	random := rand.New(rand.NewPCG(1, 62))
	plans := 3000
	if testing.Short() {
		plans = 600
	}
	for i := range plans {
		most := []uint64{UsualLoad, LowLoad}[random.IntN(2)]
		n, lines := 1+random.Uint64()>>(25+random.UintN(39)), uint64(0)
		switch i % 6 {
		case 0, 1:
			lines = Asked(n, 500+random.Uint64N(1<<random.UintN(20)))
		case 2: // tiny
			n = 1 + random.Uint64N(3000)
			lines = Asked(n, 500+random.Uint64N(50_000))
		case 3: // about 2^17, and about the fewest
			lines = 1<<17 - 50 + random.Uint64N(100)
			n = map[uint64]uint64{UsualLoad: 9_290_000, LowLoad: 8_925_000}[most] - random.Uint64N(40_000)
		case 4: // about the fewest lines, and about the most of a length of fingerprints
			n = 1 + n%1e10
			fewest := paged{most: most}.fewest(n)
			lines = max(1, fewest-fewest>>12-1+random.Uint64N(2+fewest>>11))
		case 5: // about the most
			lines = MaxLines - random.Uint64N(1<<random.UintN(21))
			n = lines * (16 + random.Uint64N(79))
		}
		got := Of(n, lines, most)
		r, j, total := paged{most: most}.plan(n, lines)
		if want := (Plan{r, j, total}); got != want && !(got.Lines > MaxLines && want == Plan{fallback.LeastLinearBits, 0, MaxLines}) {
			t.Fatalf("%d keys, %d lines, load %d: %+v, on the page %+v", n, lines, most, got, want)
		}
		p, k, left := paged{r, j, most}, 1+random.Uint64N(n), 1+random.Uint64N(total)
		if i%2 == 0 {
			left = min(max(1, p.total(k, 70+random.Uint64N(20))), total)
		}
		ma, mb := p.nextLayer(k, left)
		if next := (Plan{r, j, total}).NextLayer(k, left); next != [2]uint32{uint32(ma), uint32(mb)} {
			t.Fatalf("%+v, %d keys: a layer %d of %d lines, on the page %d, %d", got, k, next, left, ma, mb)
		}
	}
}
