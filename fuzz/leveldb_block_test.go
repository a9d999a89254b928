package fuzz

import (
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

func FuzzOpenLevelDBBlock(f *testing.F) {
	for i, v := range vectors.LevelDBBlocks() {
		if i%20 == 0 && len(v.Bytes) < 200 {
			f.Add([]byte(v.Bytes), queries, uint64(2048*i))
		}
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 11}, queries, uint64(0))
	f.Add([]byte{0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 64}, queries, uint64(1)<<63)
	f.Fuzz(func(t *testing.T, data, queried []byte, offset uint64) {
		testmem.BesideGuards(t, data, func(data []byte) {
			block, err := leveldb.OpenBlock(data, keyhash.Hash{})
			if err != nil && !errors.Is(err, simdbloom.ErrCorrupt) {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			for i, hash := range hashesIn(queried) {
				at := offset >> (i % 64)
				if want := naive.LevelDBBlockContains(data, at, uint32(hash)); block.MayContainHash(at, hash) != want {
					t.Fatalf("offset %d, hash %#x: not %v", at, hash, want)
				}
			}
			if block.MayContain(offset, queried) != block.MayContainHash(offset, uint64(naive.LevelDBHash(queried, false))) {
				t.Fatal("a key and its hash differ")
			}
			signed, err := leveldb.OpenBlock(data, keyhash.RocksDB32)
			if err != nil || signed.MayContain(offset, queried) != block.MayContainHash(offset, uint64(naive.LevelDBHash(queried, true))) {
				t.Fatalf("with the signed hash, %v, or another answer", err)
			}
			for i := range min(block.Filters(), 100) {
				if _, err := leveldb.Open(block.Filter(i), keyhash.Hash{}); err != nil {
					t.Fatalf("filter %d: %v", i, err)
				}
			}
		})
	})
}
