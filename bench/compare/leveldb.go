package main

import (
	root "github.com/simdbloom/simdbloom"
	simdgoleveldb "github.com/simdbloom/simdbloom/adapters/goleveldb"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// levelDB is LevelDB's filter, and the interface is goleveldb's.
type levelDB struct {
	inGoleveldb
	opened
}

type levelDBBuilder struct {
	*root.Builder
	bitsPerKey int
}

func (b *levelDBBuilder) add(keys [][]byte) error {
	b.AddKeys(keys)
	return nil
}

func (b *levelDBBuilder) finish() (filter, error) {
	made, err := b.Filter()
	if err != nil {
		return nil, err
	}
	return &levelDB{inGoleveldb{simdgoleveldb.BuiltIn(b.bitsPerKey), made.Bytes()}, opened{made}}, nil
}

// newLevelDB returns a builder of goleveldb's own filter, which has a hash of its own.
func newLevelDB(_ int, bitsPerKey float64) (builder, error) {
	b, err := leveldb.NewBuilder(bitsPerKey, keyhash.LevelDB32)
	return &levelDBBuilder{b, int(bitsPerKey)}, err
}
