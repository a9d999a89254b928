package main

import (
	"math"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
)

// measured returns linear filters of a small scope, measured.
func measured(t *testing.T) *linears {
	t.Helper()
	p := make(plan)
	l := newLinears(small, p)
	for _, e := range p.all() {
		kiloqueries := 0
		if err := e.run(func(more int) { kiloqueries += more }); err != nil {
			t.Fatal(err)
		}
		if kiloqueries != e.kiloqueries() {
			t.Errorf("%s: progress of %d thousand queries, not %d", e, kiloqueries, e.kiloqueries())
		}
	}
	return l
}

func TestLinearFilters(t *testing.T) {
	l := measured(t)
	if err := l.check(); err != nil {
		t.Error(err)
	}
	for i, r := range l.rows {
		if want := []int{7, 9, 14}[i]; r.fingerprint != want || r.ofPresent.lookups != r.n || r.ofAbsent.lookups < r.n {
			t.Errorf("%s: fingerprints of %d bits, lines of %+v and %+v", r, r.fingerprint, r.ofPresent, r.ofAbsent)
		}
		absent, present := r.ofAbsent.mean(), r.ofPresent.mean()
		if !(1 < absent && absent < present && present < 1.3) {
			t.Errorf("%s: %v lines of an absent key, %v of a present one", r, absent, present)
		}
	}
	var text strings.Builder
	l.write(&text)
	for _, part := range []string{"\n| 8 | 7.99 | 7 | 302 + 10 | ", " | 0.00781 | ", " | 14 | ", " + "} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no %q in\n%s", part, text.String())
		}
	}
}

// TestLinesThatALookupReads counts layers with the naive reading of the format.
func TestLinesThatALookupReads(t *testing.T) {
	for _, r := range measured(t).rows {
		random := newSource([32]byte{1})
		random.draw(atOnce, func(some []uint64) {
			for _, hash := range some {
				want, body, bumped := 0, r.filter.Bytes(), []uint64{hash}
				for _, lines := range r.layers {
					if len(bumped) == 0 {
						break
					}
					layer := body[:lines*asm.BlockBytes]
					body, bumped = body[len(layer):], naive.LinearBumped(layer, bumped)
					want++
				}
				if got := r.linesOf(hash); got != want {
					t.Fatalf("%s, hash %#x: %d lines, not %d", r, hash, got, want)
				}
			}
		})
	}
}

func TestCheckFindsAnotherRate(t *testing.T) {
	for name, spoil := range map[string]func(r *linearRow){
		"off by":                  func(r *linearRow) { r.positives += int(5 * math.Sqrt(r.exact()*r.queries())) },
		"fingerprints of 7 bits":  func(r *linearRow) { r.predicted /= 2 },
		"estimated 0.01":          func(r *linearRow) { r.estimated = 0.01 },
		"off by -":                func(r *linearRow) { r.positives = 0 },
		"predicted 0.007812, est": func(r *linearRow) { r.estimated *= 2 },
	} {
		l := measured(t)
		spoil(l.rows[0])
		if err := l.check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// forgetful is a filter that does not find the second of some keys.
type forgetful struct{ *simdbloom.Filter }

func (f forgetful) ContainsHashBits(hashes, hits []uint64) {
	f.Filter.ContainsHashBits(hashes, hits)
	hits[0] &^= 2
}

func TestAKeyThatIsNotFoundIsAnError(t *testing.T) {
	k := *linearKind
	k.open = func(data []byte) (filter, error) {
		f, err := linear.Open(data, keyhash.XX64)
		return forgetful{f}, err
	}
	e := make(plan).measure(&k, 1_000_000, 10, 1, 1)
	err := e.run(func(int) {})
	if err == nil || !strings.Contains(err.Error(), "FALSE NEGATIVE") || !strings.Contains(err.Error(), "245 keys were not found") {
		t.Error(err)
	}
}
