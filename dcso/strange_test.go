package dcso_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestBitsBehindM: each bit that is set behind m is found, the very next one included. If m is a multiple of 64, there
// are none.
func TestBitsBehindM(t *testing.T) {
	for n := uint64(40); n < 140; n++ {
		f := naive.NewDCSO(n, 0.01)
		if f.M%64 == 0 {
			t.Fatal("n has a multiple of 64 bits")
		}
		for bit := f.M % 64; bit < 64; bit++ {
			f.Words[len(f.Words)-1] = 1 << bit
			if err := open(t, f.Append(nil, false)).Verify(); !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatalf("m is %d, bit %d of the last word: %v", f.M, bit, err)
			}
		}
	}
	f := multiplesOf64(t)[0]
	f.Words[len(f.Words)-1], f.Keys = 1<<63, 1
	if err := open(t, f.Append(nil, false)).Verify(); err != nil {
		t.Error("the last bit:", err)
	}
}

// multiplesOf64 returns filters without keys whose m is a multiple of 64.
func multiplesOf64(t *testing.T) (all []*naive.DCSO) {
	for n := uint64(1); n < 1000; n++ {
		if f := naive.NewDCSO(n, 0.01); f.M%64 == 0 {
			all = append(all, f)
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d filters of a multiple of 64 bits", len(all))
	}
	return all
}

// TestSetDataKeepsTheFilter of every rule.
func TestSetDataKeepsTheFilter(t *testing.T) {
	for name, rule := range originals {
		m := open(t, stored(t, name)).WithRule(rule).MutableCopy()
		for _, data := range []string{"", "more of it than before", "less"} {
			m.SetData([]byte(data))
			m.AddString("added")
			if f := m.Filter(); f.Rule() != rule || string(f.Data()) != data || !f.Contains(key(49)) || !f.ContainsString("added") {
				t.Errorf("%s: %v, %q", name, f.Rule(), f.Data())
			}
		}
	}
}

// TestJoinCountsInTheHeadersBits: 32 in the oldest header.
func TestJoinCountsInTheHeadersBits(t *testing.T) {
	of := func(keys uint64) *dcso.Filter {
		f := filled(1000, 0.01, "seeded", 0)
		f.Keys = keys
		return open(t, f.Append(nil, true))
	}
	for _, c := range []struct {
		a, b uint64
		fits bool
	}{{1 << 31, 1<<31 - 1, true}, {1 << 31, 1 << 31, false}, {math.MaxUint32, math.MaxUint32, false}} {
		m := of(c.a).MutableCopy()
		err := m.Join(of(c.b))
		if want := c.a + c.b; c.fits && (err != nil || m.Filter().Keys() != want) {
			t.Errorf("%d and %d keys: %d, %v", c.a, c.b, m.Filter().Keys(), err)
		} else if !c.fits && (err == nil || m.Filter().Keys() != c.a) {
			t.Errorf("%d and %d keys: %d, no error", c.a, c.b, m.Filter().Keys())
		}
	}
}

// TestFilesThatDoNotOpenAreUnmapped at once.
func TestFilesThatDoNotOpenAreUnmapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no filter")
	if err := os.WriteFile(path, stored(t, "multiply.bloom")[:100], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dcso.OpenFile(path); !errors.Is(err, simdbloom.ErrCorrupt) || testmem.Mappings(t, path) > 0 {
		t.Errorf("mapped %d times, %v", testmem.Mappings(t, path), err)
	}
}
