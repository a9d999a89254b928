package bloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// growing is what Mutable and Concurrent both have.
type growing interface {
	contract.Filter
	Add(key []byte)
	AddString(key string)
	AddHash(hash uint64)
	AddHashes(hashes []uint64)
	AddKeys(keys [][]byte)
	AddIfAbsent(key []byte) bool
	AddHashIfAbsent(hash uint64) bool
	Reset()
	Snapshot() *bloom.Filter
	Capacity() int
	Full() bool
	NumProbes() int
	EstimatedKeys() float64
	PredictedFPR(keys int) float64
}

// A kind is one of the two, whose own types are hidden.
type kind struct {
	name  string
	empty func(keys int, bitsPerKey float64, hash keyhash.Hash) (growing, error)
	open  func(data []byte, hash keyhash.Hash) (growing, error)
	clone func(growing) growing
	union func(a, b growing) error
}

var kinds = []kind{
	{
		"Mutable",
		func(keys int, bpk float64, hash keyhash.Hash) (growing, error) {
			return bloom.NewMutable(keys, bpk, hash)
		},
		func(data []byte, hash keyhash.Hash) (growing, error) { return bloom.OpenMutable(data, hash) },
		func(g growing) growing { return g.(*bloom.Mutable).Clone() },
		func(a, b growing) error { return a.(*bloom.Mutable).Union(b.(*bloom.Mutable)) },
	},
	{
		"Concurrent",
		func(keys int, bpk float64, hash keyhash.Hash) (growing, error) {
			return bloom.NewConcurrent(keys, bpk, hash)
		},
		func(data []byte, hash keyhash.Hash) (growing, error) { return bloom.OpenConcurrent(data, hash) },
		func(g growing) growing { return g.(*bloom.Concurrent).Clone() },
		func(a, b growing) error { return a.(*bloom.Concurrent).Union(b.(*bloom.Concurrent)) },
	},
}

// eachKind runs f for both, at every level of this machine.
func eachKind(t *testing.T, f func(t *testing.T, k kind)) {
	top := cpu.Current()
	for _, level := range []cpu.Level{cpu.Generic, cpu.AVX2, cpu.AVX512, cpu.NEON} {
		if !top.Includes(level) {
			continue
		}
		for _, k := range kinds {
			t.Run(k.name+", "+level.String(), func(t *testing.T) {
				defer cpu.Limit(level)()
				f(t, k)
			})
		}
	}
}

func (k kind) of(t testing.TB, keys int, bitsPerKey float64) growing {
	t.Helper()
	g, err := k.empty(keys, bitsPerKey, keyhash.XX64)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// grower is a growing filter as a builder: it is made when the number of keys is known.
type grower struct {
	policy.Builder // of the same filter, which counts the keys
	k              kind
	bitsPerKey     float64
	hash           keyhash.Hash
	add            []func(g growing)
}

func (b *grower) note(add func(g growing)) { b.add = append(b.add, add) }

func (b *grower) Add(key []byte) {
	b.Builder.Add(key)
	b.note(func(g growing) { g.Add(key) })
}

func (b *grower) AddKeys(keys [][]byte) {
	b.Builder.AddKeys(keys)
	b.note(func(g growing) { g.AddKeys(keys) })
}

func (b *grower) AddHashes(hashes []uint64) {
	b.Builder.AddHashes(hashes)
	b.note(func(g growing) { g.AddHashes(hashes) })
}

func (b *grower) Finish() ([]byte, error) {
	n := b.Len()
	if data, err := b.Builder.Finish(); err != nil || n == 0 {
		return data, err
	}
	g, err := b.k.empty(n, b.bitsPerKey, b.hash)
	if err != nil {
		return nil, err
	}
	for _, add := range b.add {
		add(g)
	}
	b.add = nil
	return g.Bytes(), nil
}

func TestGrowingContract(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		p := contracted
		p.NewBuilder = func(bpk float64, hash keyhash.Hash) (policy.Builder, error) {
			b, err := bloom.NewBuilder(bpk, hash)
			return &grower{Builder: b, k: k, bitsPerKey: bpk, hash: hash}, err
		}
		p.Open = func(data []byte, hash keyhash.Hash) (contract.Filter, error) {
			if f, err := bloom.Open(data, hash); err != nil || f.Kind() != bloom.FastLocal {
				return f, err
			}
			return k.open(data, hash)
		}
		p.CopyAligned = func(f contract.Filter) contract.Filter { return f.(growing).Snapshot() }
		p.BytesCopy = k.name == "Concurrent"
		contract.TestGrowing(t, p)
	})
}
