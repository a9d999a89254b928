package simdbloom_test

import (
	"bytes"
	"encoding"
	"io"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/program"
	"github.com/simdbloom/simdbloom/keyhash"
)

// adder is what Mutable and Concurrent both have.
type adder interface {
	Contains(key []byte) bool
	ContainsHash(hash uint64) bool
	AppendHits(dst []int, hashes []uint64) []int
	Bytes() []byte
	SizeBytes() int
	Hash() keyhash.Hash
	NumProbes() int
	EstimatedFPR() float64

	Add(key []byte)
	AddString(key string)
	AddUint64(value uint64)
	AddHash(hash uint64)
	AddHashes(hashes []uint64)
	AddKeys(keys [][]byte)
	AddColumn(column keyhash.Column)
	AddIfAbsent(key []byte) bool
	AddStringIfAbsent(key string) bool
	AddHashIfAbsent(hash uint64) bool
	AddColumnIfAbsent(column keyhash.Column, added []uint64)
	Reset()
	Snapshot() *simdbloom.Filter
	Capacity() int
	Full() bool
	EstimatedKeys() float64
	PredictedFPR(keys int) float64

	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	io.ReaderFrom
}

// A kind is one of the two, whose own types are hidden, in a format.
type kind struct {
	name   string
	format contract.Format
	zero   func() adder
	empty  func(keys int, bitsPerKey float64, hash keyhash.Hash) (adder, error)
	open   func(data []byte, hash keyhash.Hash) (adder, error)
	clone  func(adder) adder
	union  func(a, b adder) error
	filter func(adder) *simdbloom.Filter
}

// kindsOf returns both in a format.
func kindsOf(format contract.Format) []kind {
	return []kind{
		{
			"Mutable", format,
			func() adder { return new(simdbloom.Mutable) },
			func(keys int, bpk float64, hash keyhash.Hash) (adder, error) {
				return simdbloom.NewMutable(format.Format, keys, bpk, hash)
			},
			func(data []byte, hash keyhash.Hash) (adder, error) {
				return simdbloom.OpenMutable(format.Format, data, hash)
			},
			func(g adder) adder { return g.(*simdbloom.Mutable).Clone() },
			func(a, b adder) error { return a.(*simdbloom.Mutable).Union(b.(*simdbloom.Mutable)) },
			func(g adder) *simdbloom.Filter { return &g.(*simdbloom.Mutable).Filter },
		},
		{
			"Concurrent", format,
			func() adder { return new(simdbloom.Concurrent) },
			func(keys int, bpk float64, hash keyhash.Hash) (adder, error) {
				return simdbloom.NewConcurrent(format.Format, keys, bpk, hash)
			},
			func(data []byte, hash keyhash.Hash) (adder, error) {
				return simdbloom.OpenConcurrent(format.Format, data, hash)
			},
			func(g adder) adder { return g.(*simdbloom.Concurrent).Clone() },
			func(a, b adder) error { return a.(*simdbloom.Concurrent).Union(b.(*simdbloom.Concurrent)) },
			func(g adder) *simdbloom.Filter { return &g.(*simdbloom.Concurrent).Filter },
		},
	}
}

// kinds are FastLocal's, whose sizes the tests know.
var kinds = kindsOf(contract.FastLocal)

// levels are those of this machine.
func levels() (all []cpu.Level) {
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		if cpu.Current().Includes(level) {
			all = append(all, level)
		}
	}
	return all
}

// eachKind runs f for both in every format, at every level of this machine. The race detector sees a Mutable, which
// one goroutine changes, at one level.
func eachKind(t *testing.T, f func(t *testing.T, k kind)) {
	for _, level := range levels() {
		for _, format := range contract.Adders() {
			for _, k := range kindsOf(format) {
				if program.Raced && k.name == "Mutable" && level != cpu.Current() {
					continue
				}
				t.Run(k.name+", "+k.format.Name+", "+level.String(), func(t *testing.T) {
					defer cpu.Limit(level)()
					f(t, k)
				})
			}
		}
	}
}

func (k kind) of(t testing.TB, keys int, bitsPerKey float64) adder {
	t.Helper()
	g, err := k.empty(keys, bitsPerKey, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestAddersQueries: their Filter is a filter as any other.
func TestAddersQueries(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		contract.TestQueries(t, k.format.Adder(k.name == "Concurrent"))
	})
}

// TestAddersAmongOthers: &m.Filter looks up in what m has now, as all others in a slice of filters.
func TestAddersAmongOthers(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		g := k.of(t, 1000, 20)
		f := k.filter(g)
		filters := []*simdbloom.Filter{filterOf("apple"), f, filterOf("banana")}
		hash := keyhash.XX64.Sum64String("banana")
		for _, want := range [][]int{{2}, {1, 2}} {
			if got := simdbloom.AppendFilters(nil, filters, hash); len(got) != len(want) || got[0] != want[0] {
				t.Errorf("banana is in %d, want %d", got, want)
			}
			g.AddString("banana")
		}
		// It cannot become another filter: its Mutable or Concurrent would not know.
		file := contract.Must(filterOf("cherry").MarshalBinary())
		if err := f.UnmarshalBinary(file); err == nil || !f.ContainsString("banana") {
			t.Errorf("the Filter was replaced (%v)", err)
		}
		if _, err := f.ReadFrom(bytes.NewReader(file)); err == nil || f.ContainsString("cherry") || !g.Contains([]byte("banana")) {
			t.Errorf("the Filter was replaced (%v)", err)
		}
		if err := g.UnmarshalBinary(file); err != nil || !f.ContainsString("cherry") || f.ContainsString("banana") {
			t.Errorf("the Filter is not that of what was read: %v", err)
		}
	})
}
