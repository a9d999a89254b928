package main

import (
	pebbledb "github.com/cockroachdb/pebble/v2"

	simdpebble "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
)

// ownBuilder is what the project's builders have in common.
type ownBuilder interface {
	AddKeys(keys [][]byte)
	Finish() ([]byte, error)
}

// ownFilter is what the project's filters have in common.
type ownFilter interface {
	ContainsKeys(keys [][]byte, hits []bool)
	ContainsHashes(hashes []uint64, hits []bool)
}

// simdbloom is one of the project's filters. One key at a time is looked up through
// Pebble's interface, from the filter's bytes.
type simdbloom struct {
	inPebble
	opened ownFilter
}

func (f *simdbloom) batch(keys [][]byte, hits []bool) { f.opened.ContainsKeys(keys, hits) }

func (f *simdbloom) batchHashes(hashes []uint64, hits []bool) { f.opened.ContainsHashes(hashes, hits) }

type simdbloomBuilder struct {
	ownBuilder
	policy pebbledb.FilterPolicy
	open   func(data []byte) (ownFilter, error)
}

func (b *simdbloomBuilder) add(keys [][]byte) error {
	b.AddKeys(keys)
	return nil
}

func (b *simdbloomBuilder) finish() (filter, error) {
	data, err := b.Finish()
	if err != nil {
		return nil, err
	}
	opened, err := b.open(data)
	return &simdbloom{inPebble{b.policy, data}, opened}, err
}

func newFastLocal(_ int, bitsPerKey float64) (builder, error) {
	b, err := bloom.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.FastLocal(bitsPerKey), func(data []byte) (ownFilter, error) {
		return bloom.Open(data, keyhash.XX64)
	}}, err
}

func newPaired(_ int, bitsPerKey float64) (builder, error) {
	b, err := paired.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.Paired(bitsPerKey), func(data []byte) (ownFilter, error) {
		return paired.Open(data, keyhash.XX64)
	}}, err
}

func newLinear(_ int, bitsPerKey float64) (builder, error) {
	b, err := linear.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.Linear(bitsPerKey), func(data []byte) (ownFilter, error) {
		return linear.Open(data, keyhash.XX64)
	}}, err
}
