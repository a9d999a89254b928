package policy_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

func TestBelowHalfABitPerKeyEverythingMayBeThere(t *testing.T) {
	for _, n := range names {
		for _, bpk := range []string{"0", "0.0", "0.499999", ".4", "-1", "-0", "-12.5"} {
			p := n.at(t, bpk)
			b := p.NewBuilder(building.WithRoundDown)
			b.AddHash(1)
			b.AddHashes([]uint64{2, 3})
			b.AddString("4")
			b.AddKeys(vectors.Keys("user8", 5, 8))
			if b.Len() != 7 {
				t.Errorf("%s: Len %d", p, b.Len())
			}
			b.Reset()
			keys := vectors.Keys("user8", 0, 100)
			data := build(t, b, keys)
			if !bytes.Equal(data, make([]byte, 6)) {
				t.Errorf("%s: bytes % x", p, data)
			}
			checkAnswers(t, p, data, keys)
			if !p.MayContain(data, []byte("anything")) || p.PredictedFPR(100, building.WithRoundDown) != 1 {
				t.Errorf("%s: said no, or promises to", p)
			}
			// Filters from a time with more bits per key are still read.
			real := build(t, n.at(t, 10).NewBuilder(), keys)
			checkAnswers(t, p, real, keys)
			if longer, err := b.AppendFinish([]byte("x")); err != nil || string(longer) != "x\x00\x00\x00\x00\x00\x00" {
				t.Errorf("%s: AppendFinish gave %q, %v", p, longer, err)
			}
		}
	}
}

// TestAppendFilterHasAlwaysBytes: six zeros where no filter can be built.
func TestAppendFilterHasAlwaysBytes(t *testing.T) {
	keys := vectors.Keys("user8", 0, 1000)
	for _, n := range names {
		b := n.at(t, 10).NewBuilder()
		b.AddKeys(keys)
		data, ok := bytes.CutPrefix(policy.AppendFilter([]byte("before"), b), []byte("before"))
		if !ok || b.Len() != 0 || !bytes.Equal(data, build(t, n.at(t, 10).NewBuilder(), keys)) {
			t.Errorf("%s: %d bytes, %d keys left", n.name, len(data), b.Len())
		}
	}
	b, err := simdbloom.NewBuilder(simdbloom.LevelDB, 1<<33, keyhash.XX64) // a filter of a key is too large
	if err != nil {
		t.Fatal(err)
	}
	b.AddKeys(keys)
	if data := policy.AppendFilter([]byte("before"), b); string(data) != "before\x00\x00\x00\x00\x00\x00" || b.Len() != 0 {
		t.Errorf("in place of a filter: %q, %d keys left", data, b.Len())
	}
	defer func() {
		if said := fmt.Sprint(recover()); said != "policy: AppendFilter's Builder must not be nil" {
			t.Errorf("a nil Builder: %s", said)
		}
	}()
	policy.AppendFilter(nil, nil)
}
