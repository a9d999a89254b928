package leveldb_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/internal/test/levelblock"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// mostFilters is the number of filters that a block may have.
const mostFilters = 1 << 24

// TestBlocksAsTheNaiveOnes builds tables of any shape.
func TestBlocksAsTheNaiveOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		bitsPerKey, baseLg := 1+r.IntN(30), r.IntN(20)
		b := levelblock.New(float64(bitsPerKey), baseLg, keyhash.Hash{})
		var table naive.LevelDBBlock
		keys, offset := 0, uint64(0)
		for range r.IntN(30) {
			hashes := make([]uint32, r.IntN(5)*r.IntN(20))
			b.StartBlock(offset)
			for i := range hashes {
				hashes[i] = r.Uint32()
				b.AddHash(uint64(hashes[i]))
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
		opened, err := leveldb.OpenBlock(data, keyhash.Hash{})
		if err != nil || opened.BaseLg() != baseLg {
			t.Fatalf("base %d: %v", opened.BaseLg(), err)
		}
		for _, step := range table {
			for _, narrow := range step.Hashes {
				hash := uint64(narrow) | r.Uint64()<<32 // only the low half counts
				if !opened.MayContainHash(step.Offset, hash) || !leveldb.MayContainHash(opened.Filter(int(step.Offset>>baseLg)), hash) {
					t.Fatalf("hash %#x of the block at %d is missing", hash, step.Offset)
				}
			}
		}
		if behind := uint64(opened.Filters()) << baseLg; !opened.MayContainHash(behind, 1) || !opened.MayContainHash(math.MaxUint64, 1) {
			t.Fatal("a data block behind the last filter, and no")
		}
		for _, i := range []int{-1, opened.Filters()} {
			if says := contract.Panic(func() { opened.Filter(i) }); !strings.Contains(says, "has no filter") {
				t.Fatalf("filter %d of %d: %q", i, opened.Filters(), says)
			}
		}
	}
}

// TestNonsenseOffsets has offsets that would make empty filters without end, and some that
// descend.
func TestNonsenseOffsets(t *testing.T) {
	for _, offset := range []uint64{1 << 63, math.MaxUint64, (mostFilters + 1) << 11} {
		b := levelblock.New(10, 11, keyhash.Hash{})
		b.Add([]byte("key"))
		if contract.Panic(func() { b.StartBlock(offset) }) == "" || b.Len() != 1 || len(b.Finish()) != 9+4+5 {
			t.Errorf("offset %d: no panic, or the key is lost", offset)
		}
	}
	b := levelblock.New(10, 11, keyhash.Hash{})
	b.StartBlock(5000)
	b.StartBlock(4096) // the same range
	if contract.Panic(func() { b.StartBlock(4095) }) == "" {
		t.Error("a data block in a range whose filter is complete: no panic")
	}
	b.Reset()
	b.StartBlock(0)
	b.StartBlock(mostFilters << 11)
	if opened, err := leveldb.OpenBlock(b.Finish(), keyhash.Hash{}); err != nil || opened.Filters() != mostFilters {
		t.Errorf("the most filters: %v", err)
	}
	for _, offset := range []uint64{1 << 63, math.MaxUint64} {
		b := levelblock.New(10, 63, keyhash.Hash{})
		b.StartBlock(offset)
		if b.SizeBytes() != 9 {
			t.Errorf("base 63: %d bytes", b.SizeBytes())
		}
	}
}

// TestOffsetsThatChange has offsets that are written over after OpenBlock, as those of a mapped file may be.
func TestOffsetsThatChange(t *testing.T) {
	b := levelblock.New(10, 11, keyhash.Hash{})
	for i := range 3 {
		b.StartBlock(uint64(i) << 11)
		b.AddHash(uint64(i))
	}
	data := b.Finish()
	opened := contract.Must(leveldb.OpenBlock(data, keyhash.Hash{}))
	const absent = 77
	if opened.MayContainHash(1<<11, absent) {
		t.Fatal("another hash is wanted")
	}
	array := len(data) - 5 - 3*4
	for _, offset := range []int{array, array + 1, len(data), math.MaxInt32} {
		binary.LittleEndian.PutUint32(data[array+4:], uint32(offset)) // where the second filter begins, and the first ends
		if offset > array && !opened.MayContainHash(0, absent) || !opened.MayContainHash(1<<11, absent) {
			t.Errorf("the second filter at %d of %d: a wrong no", offset, array)
		}
	}
}

func TestTooLargeAFilterOfABlock(t *testing.T) {
	b := levelblock.New(math.MaxInt, 11, keyhash.Hash{})
	for hash := range uint64(3) { // with 2^31 bits each, or more
		b.AddHash(hash)
	}
	if size := uint64(b.SizeBytes()); size < 1<<28 {
		t.Errorf("%d bytes", size)
	}
	if contract.Panic(func() { b.Finish() }) == "" || contract.Panic(func() { b.StartBlock(2048) }) == "" {
		t.Error("no panic")
	}
}

// TestHashesOfBlocks reads blocks by the hash that they were written with, and by the other one.
func TestHashesOfBlocks(t *testing.T) {
	keys := vectors.Keys("bin", 0, 500) // whose hashes have signs
	for written, other := range map[keyhash.Hash]keyhash.Hash{keyhash.LevelDB32: keyhash.RocksDB32, keyhash.RocksDB32: keyhash.LevelDB32} {
		b := levelblock.New(10, 11, written)
		b.StartBlock(3000)
		for _, key := range keys[:250] {
			b.Add(key)
		}
		data := b.Finish()
		block, wrong := contract.Must(leveldb.OpenBlock(data, written)), contract.Must(leveldb.OpenBlock(data, other))
		found, missing := 0, 0
		for i, key := range keys {
			hit := block.MayContain(2048, key)
			if i < 250 && !hit || block.MayContain(0, key) || block.MayContainHash(2048, written.Sum64(key)) != hit {
				t.Fatalf("%s: %x is missing, or in another filter", written.Name(), key)
			}
			if i >= 250 && hit {
				found++
			}
			if i < 250 && !wrong.MayContain(2048, key) {
				missing++
			}
		}
		if found > 15 || missing < 25 {
			t.Errorf("%s: %d of 250 absent keys may be there, %d of 250 are missing by the other hash", written.Name(), found, missing)
		}
	}
}
