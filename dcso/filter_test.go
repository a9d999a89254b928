package dcso_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

func open(t testing.TB, data []byte) *dcso.Filter {
	t.Helper()
	f, err := dcso.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func key(i int) []byte { return fmt.Appendf(nil, "key%d", i) }

// originals are files with the keys key0 to key49, that were made for 100 keys at a rate of 0.001:
// multiply.bloom by DCSO/bloom v0.2.4 (flor 1.1.3 writes the same bytes), seeded.bloom by v0.2.0, added.bloom at commit
// 208b130, and multiply-wide.bloom by flor 1.1.0.
var originals = map[string]dcso.Rule{
	"multiply.bloom": dcso.Multiply, "multiply-wide.bloom": dcso.MultiplyWide, "added.bloom": dcso.Added, "seeded.bloom": dcso.Seeded,
}

func stored(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestOriginalsFiles(t *testing.T) {
	for name, rule := range originals {
		f := open(t, stored(t, name))
		if rule == dcso.MultiplyWide || rule == dcso.Added {
			f = f.WithRule(rule)
		}
		if f.Rule() != rule || f.Capacity() != 100 || f.FPR() != 0.001 || f.M() != 1438 && f.M() != 1437 || f.K() != 10 || f.Keys() != 50 || string(f.Data()) != "free data\n" {
			t.Errorf("%s: %v, n %d, p %v, m %d, k %d, N %d, %q", name, f.Rule(), f.Capacity(), f.FPR(), f.M(), f.K(), f.Keys(), f.Data())
		}
		if f.SizeBytes() != len(f.Bytes())-10 {
			t.Errorf("%s: %d bytes", name, f.SizeBytes())
		}
		for i := range 50 {
			if !f.Contains(key(i)) {
				t.Errorf("%s: no %s", name, key(i))
			}
		}
		if err := f.Verify(); err != nil {
			t.Error(name, err)
		}
		for other := dcso.Multiply; other <= dcso.Seeded; other++ {
			found := 0
			for i := range 50 {
				if f.WithRule(other).Contains(key(i)) {
					found++
				}
			}
			if (found == 50) != (other == rule) {
				t.Errorf("%s: %d keys by the rule %v", name, found, other)
			}
		}
	}
}

// TestOriginalsPlaces has what TestFingerprinting of the original and of flor have.
func TestOriginalsPlaces(t *testing.T) {
	f := naive.NewDCSO(100_000, 0.01)
	if got := f.Places([]byte("bar"), "multiply"); !slices.Equal(got, []uint64{20311, 36825, 412501, 835777, 658914, 853361, 307361}) {
		t.Error(got)
	}
	if sum := dcso.SumString("test"); sum != 0x8c093f7e9fccbf69 {
		t.Errorf("%#x", sum)
	}
}

// TestLookups compares every lookup with a naive one, by every rule.
func TestLookups(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	contained := 0
	for range 50 {
		want := naive.NewDCSO(1+r.Uint64N(300), math.Pow(10, -6*r.Float64()))
		for i := range want.Words {
			want.Words[i] = r.Uint64() | r.Uint64() | r.Uint64()
		}
		if beyond := want.M % 64; beyond > 0 {
			want.Words[len(want.Words)-1] &= 1<<beyond - 1
		}
		want.Keys = r.Uint64() >> r.IntN(64)
		want.Data = make([]byte, r.IntN(20))
		testmem.BesideGuards(t, want.Append(nil, false), func(data []byte) {
			f := open(t, data)
			if f.M() != want.M || f.K() != int(want.K) || f.Capacity() != want.N || f.FPR() != want.P || f.Keys() != want.Keys || len(f.Data()) != len(want.Data) {
				t.Fatalf("%+v, want %+v", f, want)
			}
			keys := make([][]byte, [...]int{1, 257, r.IntN(600)}[r.IntN(3)]) // and a key behind a whole group
			hashes := make([]uint64, len(keys))
			byKeys, byHashes := make([]bool, len(keys)), make([]bool, len(keys)+1)
			byHashes[len(keys)] = true
			for i := range keys {
				byKeys[i], byHashes[i] = true, true
				keys[i] = make([]byte, r.IntN(50))
				for j := range keys[i] {
					keys[i][j] = byte(r.Uint32())
				}
				hashes[i] = dcso.Sum(keys[i])
			}
			rule := dcso.Rule(r.IntN(4))
			f = f.WithRule(rule)
			f.ContainsKeys(keys, byKeys)
			f.ContainsHashes(hashes, byHashes)
			for i, key := range keys[:min(len(keys), 270)] {
				contains := want.Contains(key, rule.String())
				for j, got := range []bool{
					byKeys[i], byHashes[i], f.Contains(key), f.ContainsString(string(key)), f.ContainsHash(hashes[i]),
					rule != dcso.Multiply && contains || dcso.MayContain(data, key),
				} {
					if got != contains && !(j == 5 && rule != dcso.Multiply) {
						t.Fatalf("%+v, key %q: lookup %d is not %v", want, key, j, contains)
					}
				}
				if contains {
					contained++
				}
			}
			for i := range keys {
				if hit := f.Contains(keys[i]); hit != byKeys[i] || hit != byHashes[i] {
					t.Fatalf("key %d: not %v", i, hit)
				}
			}
			if !byHashes[len(keys)] {
				t.Fatal("an answer behind the last")
			}
			if rate := f.EstimatedFPR(); !(rate >= 0 && rate <= 1) {
				t.Fatal(rate)
			}
		})
	}
	if contained < 1200 {
		t.Errorf("only %d keys were contained", contained)
	}
}

func TestAllocations(t *testing.T) {
	data := stored(t, "multiply.bloom")
	f, key, hits := open(t, data), []byte("some key"), make([]bool, 300)
	keys := slices.Repeat([][]byte{key}, 300)
	if n := testing.AllocsPerRun(100, func() {
		f.Contains(key)
		f.ContainsKeys(keys, hits)
		dcso.MayContain(data, key)
		dcso.MayContain(data[:100], key)
	}); n != 0 {
		t.Errorf("%v allocations of lookups", n)
	}
	var kept *dcso.Filter
	if n := testing.AllocsPerRun(100, func() { kept, _ = dcso.Open(data) }); n != 1 {
		t.Errorf("%v allocations of Open of %v", n, kept)
	}
}

func TestTooFewHits(t *testing.T) {
	f := open(t, stored(t, "multiply.bloom"))
	hits := make([]bool, 2, 8)
	for _, look := range []func(){
		func() { f.ContainsKeys(slices.Repeat([][]byte{key(1)}, 3), hits) },
		func() { f.ContainsHashes(slices.Repeat([]uint64{dcso.Sum(key(1))}, 3), hits) },
	} {
		func() {
			defer func() {
				if recover() == nil || hits[0] {
					t.Error("no panic, or answers before it")
				}
			}()
			look()
		}()
	}
}

// TestHashesBeyondThePrime: hashes that are equal modulo 2^64-59 have the same places, and so have those whose products
// are, by the rule Multiply.
func TestHashesBeyondThePrime(t *testing.T) {
	const multiplier = 1<<64 - 1469
	inverse := uint64(multiplier)
	for range 6 { // Newton's method
		inverse *= 2 - multiplier*inverse
	}
	for _, c := range []struct {
		rule   dcso.Rule
		factor uint64
	}{{dcso.Multiply, 1}, {dcso.MultiplyWide, 1}, {dcso.Multiply, inverse}} {
		for less := range uint64(59) {
			m, err := dcso.New(1000, 1e-6)
			if err != nil {
				t.Fatal(err)
			}
			f := m.Filter().WithRule(c.rule).MutableCopy()
			if f.AddHash(c.factor * (math.MaxUint64 - less)); !f.Filter().ContainsHash(c.factor * (58 - less)) {
				t.Errorf("%+v: %d is another key than the hash that is 2^64-59 more", c, 58-less)
			}
		}
	}
}

// TestNoSuchRule panics.
func TestNoSuchRule(t *testing.T) {
	f := open(t, stored(t, "multiply.bloom"))
	for _, rule := range []dcso.Rule{-1, 4} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); said != "dcso: there is no "+rule.String() {
					t.Error(said)
				}
			}()
			f.WithRule(rule)
		}()
	}
}

func TestRulesHaveNames(t *testing.T) {
	for r := dcso.Multiply; r <= dcso.Seeded; r++ {
		if got, err := dcso.ParseRule(r.String()); got != r || err != nil {
			t.Errorf("%v: %v, %v", r, got, err)
		}
	}
	if _, err := dcso.ParseRule("Rule(4)"); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Error("no error")
	}
}

func TestReadOfOtherPrograms(t *testing.T) {
	f := bytes.Clone(stored(t, "multiply.bloom"))
	f[1], f[7] = 3, 0xff // flags that no tool sets, and that the original ignores
	if !open(t, f).ContainsString("key1") {
		t.Error("no key1")
	}
}
