package policy_test

import (
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/policy"
)

// TestNamesByLevel: a level's policy has the name of the policy's format, and bits per key that the format tells apart.
func TestNamesByLevel(t *testing.T) {
	for _, c := range []struct {
		policy *policy.Policy
		begins string
		whole  bool // bits per key
	}{
		{policy.FastLocal(10), "simdbloom.FastLocal", false},
		{policy.Paired(10), "simdbloom.Paired:", false},
		{policy.LevelDB(10), "simdbloom.LevelDB.LevelDB32:", true},
		{parse(t, "ribbonfilter:10:2"), "ribbonfilter:", false},
	} {
		levels, err := c.policy.ByLevel(100, 1000)
		if err != nil || len(levels) != 2 {
			t.Fatal(err)
		}
		for _, p := range levels {
			if bits := p.BitsPerKey(); p.Name() != c.policy.Name() || c.whole && bits != math.Round(bits) {
				t.Errorf("%v by level: %v of %v bits per key", c.policy, p, bits)
			} else if bits > 0 && !strings.HasPrefix(p.String(), c.begins) {
				t.Errorf("%v by level: %v", c.policy, p)
			} else if again := parse(t, p.String()); again.Name() != p.Name() || again.BitsPerKey() != bits || again.SizeBytes(1e5, policy.WithLevel(1)) != p.SizeBytes(1e5, policy.WithLevel(1)) {
				t.Errorf("%v is read as %v", p, again)
			}
		}
	}
}
