package dcso_test

import (
	"bytes"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/DCSO/bloom"
	"github.com/simdbloom/simdbloom/dcso"
)

var filters = flag.Int("filters", 500, "the number of the original's filters that are compared")

// TestOriginalsFilters compares every answer about filters that the original wrote, and the bytes that both write after
// the same keys.
func TestOriginalsFilters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.bloom")
	answers, contained := 0, 0
	for i := range *filters {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		original, m, keys := random(t, r)
		data := stored(t, original)
		if !bytes.Equal(m.Bytes(), data) {
			t.Fatalf("filter %d: %x, want %x", i, m.Bytes(), data)
		}
		f, err := dcso.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		if f.Capacity() != original.MaxNumElements() || f.FPR() != original.FalsePositiveProb() || f.M() != original.NumBits() ||
			uint64(f.K()) != original.NumHashFuncs() || f.Keys() != original.N || !bytes.Equal(f.Data(), original.Data) {
			t.Fatalf("filter %d: %+v, want %+v", i, f, original)
		}
		if err := f.Verify(); err != nil {
			t.Fatalf("filter %d: %v", i, err)
		}
		if rule := f.DetectRule(); rule != dcso.Multiply {
			t.Errorf("filter %d: %v, n %d, m %d, k %d, N %d", i, rule, f.Capacity(), f.M(), f.K(), f.Keys())
		}
		hits := make([]bool, len(keys))
		f.ContainsKeys(keys, hits)
		for at, key := range keys {
			want := original.Check(key)
			if hits[at] != want || f.Contains(key) != want || dcso.MayContain(data, key) != want {
				t.Fatalf("filter %d, m %d, k %d, key %x: not %v", i, f.M(), f.K(), key, want)
			}
			answers++
			if want {
				contained++
			}
		}
		if i%10 == 0 { // the original writes plain files and gzip, and reads ours
			for _, gzip := range []bool{false, true} {
				if err := bloom.WriteFilter(original, path, gzip); err != nil {
					t.Fatal(err)
				}
				file, err := dcso.OpenFile(path)
				if err != nil || !bytes.Equal(file.Bytes(), data) {
					t.Fatalf("filter %d, gzip %v: %v", i, gzip, err)
				}
				file.Close()
			}
			if err := os.WriteFile(path, m.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if again, err := bloom.LoadFilter(path, false); err != nil || !bytes.Equal(stored(t, again), data) {
				t.Fatalf("filter %d: the original reads %v", i, err)
			}
		}
	}
	t.Logf("%d filters, %d answers, %d of them yes", *filters, answers, contained)
}

// TestJoin compares what joining two filters gives.
func TestJoin(t *testing.T) {
	for i := range *filters / 5 {
		r := rand.New(rand.NewPCG(2, uint64(i)))
		original, m, _ := random(t, r)
		other := bloom.Initialize(original.MaxNumElements(), original.FalsePositiveProb())
		for range r.IntN(100) {
			other.Add(random8(r))
		}
		f, err := dcso.Open(stored(t, &other))
		if err != nil {
			t.Fatal(err)
		}
		if err := original.Join(&other); err != nil {
			t.Fatal(err)
		}
		if err := m.Join(f); err != nil || !bytes.Equal(m.Bytes(), stored(t, original)) {
			t.Fatalf("filter %d: %v, %x, want %x", i, err, m.Bytes(), stored(t, original))
		}
	}
}

// TestDamagedFilters compares what both accept of bytes that were cut or changed, and the answers.
func TestDamagedFilters(t *testing.T) {
	accepted := 0
	for i := range *filters {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		original, _, keys := random(t, r)
		whole := stored(t, original)
		for range 4 {
			data := bytes.Clone(whole)
			if r.IntN(2) == 0 {
				data = data[:r.IntN(len(data)+1)]
			}
			for range r.IntN(3) {
				if len(data) > 0 {
					data[r.IntN(min(len(data), 60))] ^= 1 << r.IntN(8)
				}
			}
			f, err := dcso.Open(data)
			if err != nil {
				continue // the reasons are in the package's own tests
			}
			want, err := bloom.LoadFromBytes(data, false)
			if err != nil {
				t.Fatalf("%x: opened, but the original refuses it: %v", data, err)
			}
			accepted++
			for _, key := range keys[:min(5, len(keys))] {
				if contains := want.Check(key); f.Contains(key) != contains {
					t.Fatalf("%x, key %x: not %v", data, key, contains)
				}
			}
		}
	}
	if accepted < *filters {
		t.Errorf("only %d were accepted", accepted)
	}
}

// random returns a filter of any size and rate with up to 1,000 keys of any length, of both kinds, and keys to look
// up: those, and the same number of others.
func random(t *testing.T, r *rand.Rand) (original *bloom.BloomFilter, m *dcso.Mutable, keys [][]byte) {
	n, rate := 1+r.Uint64()>>(50+r.IntN(14)), math.Pow(10, -9*r.Float64()-0.3)
	f := bloom.Initialize(n, rate)
	m, err := dcso.New(n, rate)
	if err != nil {
		t.Fatal(err)
	}
	present := r.IntN(1000 >> r.IntN(10))
	for i := range 2 * present {
		key := slices.Concat(random8(r), random8(r), random8(r), random8(r), random8(r))[:r.IntN(41)]
		if keys = append(keys, key); i < present {
			f.Add(key)
			m.Add(key)
		}
	}
	if data := random8(r)[:r.IntN(9)]; len(data) > 0 {
		f.Data = data
		m.SetData(data)
	}
	return &f, m, keys
}

func random8(r *rand.Rand) []byte {
	key := make([]byte, 8)
	for i := range key {
		key[i] = byte(r.Uint32())
	}
	return key
}

// stored returns the bytes that the original writes.
func stored(t testing.TB, f *bloom.BloomFilter) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
