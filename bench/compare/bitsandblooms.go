package main

import (
	"encoding/binary"
	"iter"
	"math"
	"unsafe"

	standard "github.com/bits-and-blooms/bloom/v3"

	"github.com/simdbloom/simdbloom/internal/test/tables"
)

// bitsAndBlooms is the standard Bloom filter, whose bits are anywhere in memory.
// It hashes keys itself.
type bitsAndBlooms struct{ filter *standard.BloomFilter }

func (b *bitsAndBlooms) name() string { return standardFilter }

func (b *bitsAndBlooms) build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error) {
	b.filter = bitsAndBloomsIn(memory, fill)
	key := make([]byte, 8)
	for chunk := range hashes {
		for _, hash := range chunk {
			binary.LittleEndian.PutUint64(key, hash)
			b.filter.Add(key)
		}
	}
	return fill.bytes, probes(int(b.filter.K())), nil
}

// bitsAndBloomsIn returns a filter over memory, with the best number of probes.
func bitsAndBloomsIn(memory []byte, fill filling) *standard.BloomFilter {
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/8)
	return standard.From(words, uint(math.Round(math.Ln2*fill.bitsPerKey)))
}

func (b *bitsAndBlooms) rows() []*row {
	return countingRows(b.name(), func(hashes []uint64) (found int) {
		filter := b.filter
		var key [8]byte
		for _, hash := range hashes {
			binary.LittleEndian.PutUint64(key[:], hash)
			found += tables.One(filter.Test(key[:]))
		}
		return found
	})
}
