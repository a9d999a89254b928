package rates

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestBinomialSumsUp(t *testing.T) {
	for _, n := range []uint64{0, 1, 2, 50, 128, 10_000, 1e6, 1e9, 1e12} {
		for _, p := range []float64{1, 1 - 1e-16, 0.999, 0.5, 1. / 128, 1e-6, 1e-9, 1e-12, 1e-30} {
			if float64(n)*p > 1e9 {
				continue // a million steps
			}
			sum, mean, last := 0.0, 0.0, -1
			Binomial(n, p, func(successes int, probability float64) {
				if successes <= last || uint64(successes) > n {
					t.Errorf("n=%d, p=%v: %d successes after %d", n, p, successes, last)
				}
				last = successes
				sum += probability
				mean += probability * float64(successes)
			})
			if !(math.Abs(sum-1) <= 1e-5 && math.Abs(mean-float64(n)*p) <= 1e-5*(1+float64(n)*p)) {
				t.Errorf("n=%d, p=%v: probabilities add up to %v, mean %v", n, p, sum, mean)
			}
		}
	}
}

func allSet(positions int, set float64, probes int) float64 {
	all, _ := Among(int64(positions)).AllSet(set, probes)
	return all
}

// TestAllSetAgainstThrows compares AllSet with bits that are set at random.
func TestAllSetAgainstThrows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const rounds = 20_000
	for _, c := range []struct{ positions, set, probes int }{{512, 300, 6}, {505, 360, 8}, {507, 700, 15}, {512, 6, 2}, {64, 60, 8}} {
		sum := 0.0
		for range rounds {
			var block [512]bool
			set := 0
			for range c.set {
				if at := r.IntN(c.positions); !block[at] {
					block[at] = true
					set++
				}
			}
			sum += Power(float64(set)/float64(c.positions), c.probes)
		}
		if got, want := allSet(c.positions, float64(c.set), c.probes), sum/rounds; math.Abs(got/want-1) > 0.02 {
			t.Errorf("%+v: %.4g, thrown %.4g", c, got, want)
		}
	}
	if allSet(512, 0, 3) != 0 || allSet(512, 5, 0) != 1 || allSet(512, 0, 0) != 1 {
		t.Error("wrong at the edges")
	}
	if got := allSet(512, 1e-20, 8); !(got >= 0 && got < 1e-12) {
		t.Errorf("almost nothing set: %v", got)
	}
}

func TestFillCountsFromTheGivenBit(t *testing.T) {
	block := make([]byte, 64)
	for bit := range 512 {
		block[bit/8] |= 1 << (bit % 8)
		for _, from := range []int{0, 5, 7} {
			want := float64(max(bit+1-from, 0)) / float64(512-from)
			if got := Fill(block, from); got != want {
				t.Errorf("bits up to %d, from %d: %v, want %v", bit, from, got, want)
			}
		}
	}
}

func TestKeysIsTheInverseOfFilled(t *testing.T) {
	for _, positions := range []int{512, 505, 507} {
		for _, probes := range []int{1, 6, 24} {
			for _, keys := range []float64{0, 0.3, 1, 17, 51.2} {
				p := Among(int64(positions))
				if got := p.Keys(p.filled(keys*float64(probes)), probes); math.Abs(got-keys) > 1e-9*(1+keys) {
					t.Errorf("%d positions, %d probes: %v keys, want %v", positions, probes, got, keys)
				}
			}
		}
	}
}

func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		keys         float64
		bits, probes int
		chance, want float64
	}{
		{0, 32, 6, 0.5, 0},
		{10, 32, 1, 0.5, 10. / (1 << 32)},
		{10, 32, 3, 0, 10. / (1 << 32)},
		{10, 23, 3, 0.5, 10 * (1 + 2*0.5 + 2*0.25) / (1 << 23)},
	} {
		if got := Repeats(c.keys, c.bits, c.probes, c.chance); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
