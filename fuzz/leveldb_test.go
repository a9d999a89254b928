package fuzz

import (
	"errors"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/leveldb"
)

func FuzzOpenLevelDB(f *testing.F) {
	for _, v := range vectors.LevelDBKeys() {
		if len(v.Bytes) < 100 {
			f.Add([]byte(v.Bytes), queries)
		}
	}
	for _, v := range vectors.LevelDBReader() {
		if v.BodyLen <= 9 {
			f.Add(v.Data(), queries)
		}
	}
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		hashes := narrowHashesIn(queried)
		testmem.BesideGuards(t, data, func(data []byte) {
			filter, err := leveldb.Open(data)
			if err != nil {
				if !errors.Is(err, leveldb.ErrCorrupt) || len(data) != 1 || !leveldb.MayContain(data, queried) {
					t.Fatalf("%v, or corrupt bytes, and no", err)
				}
				return
			}
			checkNarrowQueries(t, filter, hashes, func(hash uint32) bool {
				want := naive.LevelDBContains(data, hash)
				if leveldb.MayContainHash(data, hash) != want {
					t.Fatalf("hash %#x: MayContainHash is not %v", hash, want)
				}
				return want
			})
			if rate := filter.EstimatedFPR(); !(rate >= 0 && rate <= 1) {
				t.Fatalf("rate %v", rate)
			}
			checkLevelDBKey(t, data, queried)
		})
	})
}

// checkLevelDBKey looks a key up by each of its hashes, and by either.
func checkLevelDBKey(t *testing.T, data, key []byte) {
	unsigned := naive.LevelDBContains(data, naive.LevelDBHash(key, false))
	signed := naive.LevelDBContains(data, naive.LevelDBHash(key, true))
	for _, c := range []struct {
		want    bool
		options []leveldb.Option
	}{
		{unsigned, nil},
		{signed, []leveldb.Option{leveldb.WithSignedHash()}},
		{unsigned || signed, []leveldb.Option{leveldb.WithEitherHash()}},
	} {
		filter, err := leveldb.Open(data, c.options...)
		if err != nil {
			t.Fatal(err)
		}
		checkNarrowKey(t, filter, key, c.want)
	}
}

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
			block, err := leveldb.OpenBlock(data)
			if err != nil && !errors.Is(err, leveldb.ErrCorrupt) {
				t.Fatal(err)
			}
			for i, hash := range narrowHashesIn(queried) {
				at := offset >> (i % 64)
				want := naive.LevelDBBlockContains(data, at, hash)
				got := leveldb.MayContainHashInBlock(data, at, hash)
				if want && !got {
					t.Fatalf("offset %d, hash %#x: LevelDB says yes", at, hash)
				}
				if err == nil && (got != want || block.MayContainHash(at, hash) != want) {
					t.Fatalf("offset %d, hash %#x: not %v", at, hash, want)
				}
			}
			if leveldb.MayContainInBlock(data, offset, queried) != leveldb.MayContainHashInBlock(data, offset, naive.LevelDBHash(queried, false)) {
				t.Fatal("a key and its hash differ")
			}
			if err != nil {
				return
			}
			if block.MayContain(offset, queried) != leveldb.MayContainInBlock(data, offset, queried) {
				t.Fatal("an opened block differs")
			}
			for i := range min(block.Filters(), 100) {
				if _, err := leveldb.Open(block.Filter(i)); err != nil {
					t.Fatalf("filter %d: %v", i, err)
				}
			}
		})
	})
}
