package main

import (
	leveldb "github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// inGoleveldb is a filter in goleveldb.
type inGoleveldb struct {
	policy leveldb.Filter
	data   []byte
}

func (f *inGoleveldb) sizeBytes() int { return len(f.data) }

func (f *inGoleveldb) eachInStore(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.policy.Contains(f.data, key) {
			hits += tables.Read()
		}
	}
	return hits
}

// goleveldb is goleveldb's own filter. It has no batches.
type goleveldb struct{ inGoleveldb }

// each is by the interface: goleveldb exports nothing else.
func (f *goleveldb) each(keys [][]byte) int { return f.eachInStore(keys) }

func (f *goleveldb) batch(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.policy.Contains(f.data, key)
	}
}

type goleveldbBuilder struct {
	policy leveldb.Filter
	leveldb.FilterGenerator
}

func newGoleveldb(_ int, bitsPerKey float64) (builder, error) {
	policy := leveldb.NewBloomFilter(int(bitsPerKey))
	return &goleveldbBuilder{policy, policy.NewGenerator()}, nil
}

func (b *goleveldbBuilder) add(keys [][]byte) error {
	for _, key := range keys {
		b.Add(key)
	}
	return nil
}

func (b *goleveldbBuilder) finish() (filter, error) {
	var buffer util.Buffer
	b.Generate(&buffer)
	return &goleveldb{inGoleveldb{b.policy, buffer.Bytes()}}, nil
}
