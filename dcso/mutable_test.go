package dcso_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/dcso"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// filled returns a naive filter with the first keys.
func filled(n uint64, p float64, rule string, keys int) *naive.DCSO {
	f := naive.NewDCSO(n, p)
	for i := range keys {
		f.Add(key(i), rule)
	}
	return f
}

// TestMutable compares the bytes with those of a naive filter, and with those of the original.
func TestMutable(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		n, p, keys := 1+r.Uint64N(200), math.Pow(10, -6*r.Float64()), r.IntN(200)
		m, err := dcso.New(n, p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range keys {
			switch added := key(i); i % 3 {
			case 0:
				m.Add(added)
			case 1:
				m.AddString(string(added))
			default:
				m.AddHash(dcso.Sum(added))
			}
			if !m.Filter().Contains(key(i)) || !m.Filter().ContainsString(string(key(i))) || !m.Filter().ContainsHash(dcso.Sum(key(i))) {
				t.Fatalf("n %d, p %v: a key is missing", n, p)
			}
		}
		want := filled(n, p, "multiply", keys)
		want.Data = make([]byte, r.IntN(10))
		m.SetData(want.Data)
		if data := want.Append(nil, false); !bytes.Equal(m.Bytes(), data) {
			t.Fatalf("n %d, p %v: %x, want %x", n, p, m.Bytes(), data)
		}
	}
	for name, rule := range originals {
		whole := stored(t, name)
		empty := bytes.Clone(whole)
		clear(empty[len(empty)-10-8*23 : len(empty)-10])
		clear(empty[len(empty)-10-8*23-4 : len(empty)-10-8*23]) // N has 4 bytes, or 8 that are not all needed
		if rule != dcso.Seeded {
			clear(empty[40:48])
		}
		f := open(t, empty).WithRule(rule).MutableCopy()
		for i := range 50 {
			f.Add(key(i))
		}
		if !bytes.Equal(f.Bytes(), whole) {
			t.Errorf("%s: %x, want %x", name, f.Bytes(), whole)
		}
	}
}

func TestImpossibleFilters(t *testing.T) {
	for _, c := range []struct {
		n   uint64
		fpr float64
	}{{0, 0.01}, {10, 0}, {10, 1}, {10, -1}, {10, 1.5}, {10, 2}, {10, math.NaN()}, {10, math.Inf(1)}, {1, 0.9999}} {
		if f, err := dcso.New(c.n, c.fpr); f != nil || err == nil || errors.Is(err, simdbloom.ErrTooLarge) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, n := range []uint64{math.MaxUint64, 1 << 60} {
		if f, err := dcso.New(n, 1e-300); f != nil || !errors.Is(err, simdbloom.ErrTooLarge) {
			t.Error(err)
		}
	}
	if f, err := dcso.New(1, math.SmallestNonzeroFloat64); err != nil || f.Filter().K() > 1100 {
		t.Error(f, err)
	}
}

func TestForRate(t *testing.T) {
	const n, queries = 2000, 20_000
	m, err := dcso.New(n, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		m.Add(key(i))
	}
	hits := 0
	for i := range queries {
		if m.Filter().ContainsString(fmt.Sprint("other", i)) {
			hits++
		}
	}
	if rate := float64(hits) / queries; rate > 0.015 || rate < 0.006 {
		t.Errorf("rate %v", rate)
	}
	if rate := m.Filter().EstimatedFPR(); math.Abs(rate-0.01) > 0.001 {
		t.Errorf("estimated rate %v", rate)
	}
	if keys := m.Filter().EstimatedKeys(); math.Abs(keys-n) > n/50 {
		t.Errorf("%v keys", keys)
	}
}

func TestJoin(t *testing.T) {
	made := func(n uint64, from, to int) *dcso.Mutable {
		m, err := dcso.New(n, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		for i := from; i < to; i++ {
			m.Add(key(i))
		}
		return m
	}
	m := made(1000, 0, 100)
	m.SetData([]byte("mine"))
	other := made(1000, 100, 200)
	other.SetData([]byte("other"))
	sum := m.Filter().Keys() + other.Filter().Keys()
	if err := m.Join(other.Filter()); err != nil || m.Filter().Keys() != sum || string(m.Filter().Data()) != "mine" {
		t.Error(err, m.Filter().Keys())
	}
	if err := m.Join(made(1000, 0, 0).Filter()); err != nil || m.Filter().Keys() != sum {
		t.Error("no keys:", err, m.Filter().Keys())
	}
	want := made(1000, 0, 200)
	if f := m.Filter(); !bytes.Equal(f.Bytes()[48:f.SizeBytes()], want.Bytes()[48:]) {
		t.Error("other bits")
	}
	before := bytes.Clone(m.Bytes())
	full := bytes.Clone(other.Bytes())
	for i := range 8 {
		full[40+i] = 0xff
	}
	for _, other := range []*dcso.Filter{made(1001, 0, 1).Filter(), other.Filter().WithRule(dcso.Added), open(t, full)} {
		if err := m.Join(other); err == nil || !bytes.Equal(m.Bytes(), before) {
			t.Error("joined", err)
		}
	}
}
