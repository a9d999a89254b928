package filterset_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/contract"
)

// A rule draws hashes of one part of 2^p from all hashes.
type rule struct {
	name string
	draw func(random *rand.Rand, part uint64, p uint) uint64
}

const multiplier = 0x9E3779B97F4A7C15

// inverse is multiplier's, modulo 2^64: so hashes of a part are drawn without drawing others.
var inverse = func() (inverse uint64) {
	inverse = 1
	for range 6 { // each step doubles the number of right bits
		inverse *= 2 - multiplier*inverse
	}
	return inverse
}()

var (
	theRule = rule{"hash * 0x9E3779B97F4A7C15, top bits", func(random *rand.Rand, part uint64, p uint) uint64 {
		return (part<<(64-p) | random.Uint64()>>p) * inverse
	}}
	cutRules = []rule{
		{"top bits", func(random *rand.Rand, part uint64, p uint) uint64 { return part<<(64-p) | random.Uint64()>>p }},
		{"low bits", func(random *rand.Rand, part uint64, p uint) uint64 { return random.Uint64()<<p | part }},
		{"top bits of the low half", func(random *rand.Rand, part uint64, p uint) uint64 {
			h := random.Uint64()
			return h&^(1<<32-1) | part<<(32-p) | h&(1<<(32-p)-1)
		}},
	}
)

// rate returns the false-positive rate of a part, which BuildPart builds, and the one that is expected.
func (r rule) rate(t *testing.T, policyIndex int, p uint, keys, absent int) (rate, expected float64) {
	random := rand.New(rand.NewPCG(uint64(p), 7))
	part := random.Uint64N(1 << p)
	hashes := make([]uint64, max(keys, absent))
	for i := range keys {
		hashes[i] = r.draw(random, part, p)
	}
	chosen := contract.Policies()[policyIndex]
	data, _, err := filterset.BuildPart(chosen, hashes[:keys])
	if err != nil {
		t.Fatal(err)
	}
	f := must(filterfile.OpenBytes(data))
	hits := make([]bool, absent)
	for i := range hashes {
		hashes[i] = r.draw(random, part, p)
	}
	f.ContainsHashes(hashes, hits)
	n := 0
	for _, hit := range hits {
		if hit {
			n++
		}
	}
	return float64(n) / float64(absent), chosen.PredictedFPR(keys)
}

// TestPartsHaveTheirFiltersRates shows that a part's keys look random to its filter, in every format, and that
// they do not if parts are cut from the hash itself.
func TestPartsHaveTheirFiltersRates(t *testing.T) {
	for part := range 8 {
		if h := theRule.draw(rand.New(rand.NewPCG(1, 1)), uint64(part), 3); filterset.PartOf(h, 8) != part {
			t.Fatalf("%#x is in part %d, not %d", h, filterset.PartOf(h, 8), part)
		}
	}
	const keys, absent = 10_000, 200_000
	worst := 0.0
	for i, p := range contract.Policies() {
		var line strings.Builder
		for _, bits := range []uint{1, 10, 16, 20} {
			rate, expected := theRule.rate(t, i, bits, keys, absent)
			fmt.Fprintf(&line, " %d bits %.5f", bits, rate)
			if off := math.Abs(rate - expected); off > 0.06*expected+5*math.Sqrt(expected/absent) {
				t.Errorf("%s, %d bits: rate %.5f, expected %.5f", p.Name(), bits, rate, expected)
			}
		}
		for _, r := range cutRules {
			rate, expected := r.rate(t, i, 10, keys, absent)
			fmt.Fprintf(&line, "; %s %.5f", r.name, rate)
			worst = max(worst, rate/expected)
		}
		t.Logf("%s: expected %.5f;%s", p.Name(), p.PredictedFPR(keys), &line)
	}
	if worst < 50 {
		t.Errorf("cut from the hash, the worst part has only %.1f times the rate that it should have", worst)
	}
}
