package main

import (
	"fmt"

	pebbledb "github.com/cockroachdb/pebble/v2"

	simdpebble "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
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

// ownFilter is what those have whose hashes have 64 bits.
type ownFilter interface {
	keyFilter
	Hash() keyhash.Hash
	ContainsHashes(hashes []uint64, hits []bool)
}

// simdbloomKeys is one of the project's filters. One key at a time is looked up through
// Pebble's interface, from the filter's bytes.
type simdbloomKeys struct {
	inPebble
	opened keyFilter
}

// simdbloom is one that can be given hashes.
type simdbloom struct {
	simdbloomKeys
	opened ownFilter
}

func (f *simdbloom) batchHashes(hashes []uint64, hits []bool) { f.opened.ContainsHashes(hashes, hits) }

// xxph3Filter is one whose key hash is RocksDB's.
type xxph3Filter struct{ simdbloom }

func (*xxph3Filter) takesXXPH3() {}

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
	own, ok := opened.(ownFilter)
	switch {
	case !ok:
		return &keys, err
	case own.Hash() == keyhash.XXPH3:
		return &xxph3Filter{simdbloom{keys, own}}, err
	}
	return &simdbloom{keys, own}, err
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

// newRibbon returns a builder of RocksDB's filter, with its key hash.
func newRibbon(_ int, bitsPerKey float64) (builder, error) {
	p, err := policy.Parse(fmt.Sprint("rocksdb.RibbonFilter:", bitsPerKey))
	if err != nil {
		return nil, err
	}
	b, err := ribbon.NewBuilder(bitsPerKey, p.Hash())
	return &simdbloomBuilder{b, simdpebble.FilterPolicy(p), func(data []byte) (keyFilter, error) {
		return ribbon.Open(data, p.Hash())
	}}, err
}

// newLegacy returns a builder of Pebble's own filter, which has a hash of its own.
func newLegacy(_ int, bitsPerKey float64) (builder, error) {
	b, err := legacy.NewBuilder(bitsPerKey)
	return &simdbloomBuilder{b, simdpebble.Legacy(int(bitsPerKey)), func(data []byte) (keyFilter, error) {
		return legacy.Open(data)
	}}, err
}
