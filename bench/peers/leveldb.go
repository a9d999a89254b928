package main

import (
	simdgoleveldb "github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/leveldb"
)

// levelDB is LevelDB's filter, and the interface is goleveldb's.
type levelDB struct {
	inGoleveldb
	opened *leveldb.Filter
}

func (f *levelDB) batch(keys [][]byte, hits []bool) { f.opened.ContainsKeys(keys, hits) }

func (f *simdbloomKeys) batch(keys [][]byte, hits []bool) { f.opened.ContainsKeys(keys, hits) }

type levelDBBuilder struct {
	ownBuilder
	bitsPerKey int
}

func (b *levelDBBuilder) add(keys [][]byte) error {
	b.AddKeys(keys)
	return nil
}

func (b *levelDBBuilder) finish() (filter, error) {
	data, err := b.Finish()
	if err != nil {
		return nil, err
	}
	opened, err := leveldb.Open(data)
	return &levelDB{inGoleveldb{simdgoleveldb.BuiltIn(b.bitsPerKey), data}, opened}, err
}

// newLevelDB returns a builder of goleveldb's own filter, which has a hash of its own.
func newLevelDB(_ int, bitsPerKey float64) (builder, error) {
	b, err := leveldb.NewBuilder(bitsPerKey)
	return &levelDBBuilder{b, int(bitsPerKey)}, err
}
