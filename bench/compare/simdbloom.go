package main

import (
	"fmt"

	pebbledb "github.com/cockroachdb/pebble/v2"

	root "github.com/simdbloom/simdbloom"
	simdpebble "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
	"github.com/simdbloom/simdbloom/linear"
	"github.com/simdbloom/simdbloom/paired"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ribbon"
	"github.com/simdbloom/simdbloom/splitblock"
)

// opened is one of the project's filters.
type opened struct{ *root.Filter }

func (f opened) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.Contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f opened) batch(keys [][]byte, hits []bool) { f.ContainsKeys(keys, hits) }

// simdbloom is one that a Pebble store can have.
type simdbloom struct {
	inPebble
	opened
}

// wideFilter is one whose hashes have 64 bits.
type wideFilter struct{ simdbloom }

func (f *wideFilter) batchHashes(hashes []uint64, hits []bool) { f.ContainsHashes(hashes, hits) }

// xxph3Filter is one whose key hash is RocksDB's.
type xxph3Filter struct{ wideFilter }

func (*xxph3Filter) takesXXPH3() {}

type simdbloomBuilder struct {
	*root.Builder
	policy pebbledb.FilterPolicy
}

func (b *simdbloomBuilder) add(keys [][]byte) error {
	b.AddKeys(keys)
	return nil
}

func (b *simdbloomBuilder) finish() (filter, error) {
	made, err := b.Filter()
	if err != nil {
		return nil, err
	}
	f := simdbloom{inPebble{b.policy, made.Bytes()}, opened{made}}
	switch made.Hash() {
	case keyhash.XX64:
		return &wideFilter{f}, nil
	case keyhash.XXPH3:
		return &xxph3Filter{wideFilter{f}}, nil
	}
	return &f, nil
}

func newFastLocal(_ int, bitsPerKey float64) (builder, error) {
	b, err := bloom.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.FastLocal(bitsPerKey)}, err
}

func newPaired(_ int, bitsPerKey float64) (builder, error) {
	b, err := paired.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.Paired(bitsPerKey)}, err
}

func newLinear(_ int, bitsPerKey float64) (builder, error) {
	b, err := linear.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.Linear(bitsPerKey)}, err
}

func newSplitBlock(_ int, bitsPerKey float64) (builder, error) {
	b, err := splitblock.NewBuilder(bitsPerKey, keyhash.XX64)
	return &simdbloomBuilder{b, simdpebble.FilterPolicy(policy.SplitBlock(bitsPerKey))}, err
}

// newRibbon returns a builder of RocksDB's filter, with its key hash.
func newRibbon(_ int, bitsPerKey float64) (builder, error) {
	p, err := policy.Parse(fmt.Sprint("rocksdb.RibbonFilter:", bitsPerKey))
	if err != nil {
		return nil, err
	}
	b, err := ribbon.NewBuilder(bitsPerKey, p.Hash())
	return &simdbloomBuilder{b, simdpebble.FilterPolicy(p)}, err
}

// newLegacy returns a builder of Pebble's own filter, which has a hash of its own.
func newLegacy(_ int, bitsPerKey float64) (builder, error) {
	b, err := legacy.NewBuilder(bitsPerKey, keyhash.RocksDB32)
	return &simdbloomBuilder{b, simdpebble.Legacy(int(bitsPerKey))}, err
}
