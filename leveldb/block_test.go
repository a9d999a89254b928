package leveldb_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/leveldb"
)

// TestBlocksAsTheNaiveOnes builds tables of any shape.
func TestBlocksAsTheNaiveOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		bitsPerKey, baseLg := 1+r.IntN(30), r.IntN(20)
		b := leveldb.NewBlockBuilder(bitsPerKey, baseLg)
		var table naive.LevelDBBlock
		keys, offset := 0, uint64(0)
		for range r.IntN(30) {
			hashes := make([]uint32, r.IntN(5)*r.IntN(20))
			b.StartBlock(offset)
			for i := range hashes {
				hashes[i] = r.Uint32()
				b.AddHash(hashes[i])
			}
			keys += len(hashes)
			table = append(table, struct {
				Offset uint64
				Hashes []uint32
			}{offset, hashes})
			offset += r.Uint64N(3) << baseLg >> 1
		}
		size := b.SizeBytes()
		if b.Len() != keys {
			t.Fatalf("%d keys, not %d", b.Len(), keys)
		}
		data := b.Finish()
		if want := table.Build(bitsPerKey, baseLg); !bytes.Equal(data, want) || len(data) != size || b.Len() != 0 || b.SizeBytes() != 5 {
			t.Fatalf("%d bits per key, base %d: %x (SizeBytes %d), want %x", bitsPerKey, baseLg, data, size, want)
		}
		opened, err := leveldb.OpenBlock(data)
		if err != nil || opened.BaseLg() != baseLg {
			t.Fatalf("base %d: %v", opened.BaseLg(), err)
		}
		for _, step := range table {
			for _, hash := range step.Hashes {
				if !opened.MayContainHash(step.Offset, hash) || !leveldb.MayContainHash(opened.Filter(int(step.Offset>>baseLg)), hash) {
					t.Fatalf("hash %#x of the block at %d is missing", hash, step.Offset)
				}
			}
		}
		if behind := uint64(opened.Filters()) << baseLg; !opened.MayContainHash(behind, 1) || !opened.MayContainHash(math.MaxUint64, 1) {
			t.Fatal("a data block behind the last filter, and no")
		}
		for _, i := range []int{-1, opened.Filters()} {
			if !panics(func() { opened.Filter(i) }) {
				t.Fatalf("filter %d of %d: no panic", i, opened.Filters())
			}
		}
	}
}

// TestNonsenseOffsets has offsets that would make empty filters without end, and some that
// descend.
func TestNonsenseOffsets(t *testing.T) {
	for _, offset := range []uint64{1 << 63, math.MaxUint64, (leveldb.MaxBlockFilters + 1) << 11} {
		b := leveldb.NewBlockBuilder(10, 11)
		b.Add([]byte("key"))
		if !panics(func() { b.StartBlock(offset) }) || b.Len() != 1 || len(b.Finish()) != 9+4+5 {
			t.Errorf("offset %d: no panic, or the key is lost", offset)
		}
	}
	b := leveldb.NewBlockBuilder(10, 11)
	b.StartBlock(5000)
	b.StartBlock(4096) // the same range
	if !panics(func() { b.StartBlock(4095) }) {
		t.Error("a data block in a range whose filter is complete: no panic")
	}
	b.Reset()
	b.StartBlock(0)
	b.StartBlock(leveldb.MaxBlockFilters << 11)
	if opened, err := leveldb.OpenBlock(b.Finish()); err != nil || opened.Filters() != leveldb.MaxBlockFilters {
		t.Errorf("the most filters: %v", err)
	}
	for _, offset := range []uint64{1 << 63, math.MaxUint64} {
		b := leveldb.NewBlockBuilder(10, 63)
		b.StartBlock(offset)
		if b.SizeBytes() != 9 {
			t.Errorf("base 63: %d bytes", b.SizeBytes())
		}
	}
}

func TestTooLargeAFilterOfABlock(t *testing.T) {
	b := leveldb.NewBlockBuilder(math.MaxInt, 11)
	for hash := range uint32(3) { // with 2^31 bits each, or more
		b.AddHash(hash)
	}
	if size := uint64(b.SizeBytes()); size < 1<<28 {
		t.Errorf("%d bytes", size)
	}
	if !panics(func() { b.Finish() }) || !panics(func() { b.StartBlock(2048) }) {
		t.Error("no panic")
	}
}

// TestEitherHashOfBlocks reads blocks of both kinds without knowing which.
func TestEitherHashOfBlocks(t *testing.T) {
	for _, written := range [][]leveldb.Option{nil, {leveldb.WithSignedHash()}} {
		b := leveldb.NewBlockBuilder(10, 11, written...)
		b.StartBlock(3000)
		for _, key := range twoHashes[:100] {
			b.Add(key)
		}
		block, err := leveldb.OpenBlock(b.Finish(), leveldb.WithEitherHash())
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i, key := range twoHashes[:200] {
			hit := block.MayContain(2048, key)
			if i < 100 && !hit || block.MayContain(0, key) {
				t.Fatalf("%x is missing, or in another filter", key)
			}
			if hit {
				found++
			}
		}
		if found > 115 {
			t.Errorf("%d of 100 absent keys may be in the filter", found-100)
		}
	}
}
