package policy_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
)

func TestBelowHalfABitPerKeyEverythingMayBeThere(t *testing.T) {
	for _, n := range names {
		for _, bpk := range []string{"0", "0.0", "0.499999", ".4", "-1", "-0", "-12.5"} {
			p := parse(t, fmt.Sprintf(n.name, bpk))
			b := p.NewBuilder(policy.WithRoundDown())
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
			if !p.MayContain(data, []byte("anything")) || p.PredictedFPR(100, policy.WithRoundDown()) != 1 {
				t.Errorf("%s: said no, or promises to", p)
			}
			// Filters from a time with more bits per key are still read.
			real := build(t, parse(t, fmt.Sprintf(n.name, 10)).NewBuilder(), keys)
			checkAnswers(t, p, real, keys)
			if longer, err := b.AppendFinish([]byte("x")); err != nil || string(longer) != "x\x00\x00\x00\x00\x00\x00" {
				t.Errorf("%s: AppendFinish gave %q, %v", p, longer, err)
			}
		}
	}
}

// refusing is a builder that has no filter to give.
type refusing struct{ policy.Builder }

func (refusing) AppendFinish(dst []byte) ([]byte, error) {
	return dst, errors.New("more keys than the format holds")
}

func TestAppendFilterHasAlwaysBytes(t *testing.T) {
	keys := vectors.Keys("user8", 0, 1000)
	for _, n := range names {
		p := parse(t, fmt.Sprintf(n.name, 10))
		want := build(t, p.NewBuilder(), keys)
		b := p.NewBuilder()
		for _, refused := range []bool{false, true, false} {
			for _, key := range keys {
				b.Add(key)
			}
			var data []byte
			if refused {
				data = policy.AppendFilter([]byte("before"), refusing{b})
			} else {
				data = policy.AppendFilter([]byte("before"), b)
			}
			data, ok := bytes.CutPrefix(data, []byte("before"))
			if !ok || b.Len() != 0 || refused && !bytes.Equal(data, make([]byte, 6)) || !refused && !bytes.Equal(data, want) {
				t.Errorf("%s, refused %v: %d bytes, %d keys left", p, refused, len(data), b.Len())
			}
			checkAnswers(t, p, data, keys)
		}
	}
}
