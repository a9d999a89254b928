package main

import (
	pebbledb "github.com/cockroachdb/pebble/v2"

	simdpebble "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
)

// ownBuilder is what the project's builders have in common.
type ownBuilder interface {
	AddKeys(keys [][]byte)
	Finish() ([]byte, error)
}

// keyFilter is what the project's filters have in common.
type keyFilter interface {
	ContainsKeys(keys [][]byte, hits []bool)
}

// ownFilter is what those have whose hashes are everybody's.
type ownFilter interface {
	keyFilter
	ContainsHashes(hashes []uint64, hits []bool)
}

// simdbloomKeys is one of the project's filters. One key at a time is looked up through
// Pebble's interface, from the filter's bytes.
type simdbloomKeys struct {
	inPebble
	opened keyFilter
}

func (f *simdbloomKeys) batch(keys [][]byte, hits []bool) { f.opened.ContainsKeys(keys, hits) }

// simdbloom is one that can be given hashes.
type simdbloom struct {
	simdbloomKeys
	opened ownFilter
}

func (f *simdbloom) batchHashes(hashes []uint64, hits []bool) { f.opened.ContainsHashes(hashes, hits) }

type simdbloomBuilder struct {
	ownBuilder
	policy pebbledb.FilterPolicy
	open   func(data []byte) (keyFilter, error)
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
	keys := simdbloomKeys{inPebble{b.policy, data}, opened}
	if own, ok := opened.(ownFilter); ok {
		return &simdbloom{keys, own}, err
	}
	return &keys, err
}

func newFastLocal(_ int, bitsPerKey float64) (builder, error) {
	b, err := bloom.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.FastLocal(bitsPerKey), func(data []byte) (keyFilter, error) {
		return bloom.Open(data, keyhash.XX64)
	}}, err
}

func newPaired(_ int, bitsPerKey float64) (builder, error) {
	b, err := paired.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.Paired(bitsPerKey), func(data []byte) (keyFilter, error) {
		return paired.Open(data, keyhash.XX64)
	}}, err
}

func newLinear(_ int, bitsPerKey float64) (builder, error) {
	b, err := linear.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.Linear(bitsPerKey), func(data []byte) (keyFilter, error) {
		return linear.Open(data, keyhash.XX64)
	}}, err
}

// newLegacy returns a builder of Pebble's own filter, which has a hash of its own.
func newLegacy(_ int, bitsPerKey float64) (builder, error) {
	b, err := legacy.NewBuilder(bitsPerKey)
	return &simdbloomBuilder{b, simdpebble.Legacy(int(bitsPerKey)), func(data []byte) (keyFilter, error) {
		return legacy.Open(data)
	}}, err
}
