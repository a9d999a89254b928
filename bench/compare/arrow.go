package main

import (
	"slices"

	"github.com/simdbloom/simdbloom/internal/test/tables"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/cespare/xxhash/v2"
)

// arrow is arrow-go's split block filter, with parquet-go's bytes, whose size is a power of two. It is given
// hashes. Its call for many is not in its interfaces, but any program can call it.
type arrow struct {
	metadata.BloomFilterBuilder
	opened arrowLookups
}

type arrowLookups interface {
	CheckHash(hash uint64) bool
	CheckBulk(hashes []uint64) []bool
}

func newArrow(keys int, bitsPerKey float64) (builder, error) {
	const most = 128 << 20 // bytes, which the library allows
	b := metadata.NewBloomFilter(uint32(bytesFor(keys, bitsPerKey)), most, memory.DefaultAllocator)
	return arrow{b, b.(arrowLookups)}, nil
}

func (f arrow) add(keys [][]byte) error {
	f.InsertBulk(f.Hasher().Sum64s(keys))
	return nil
}

func (f arrow) finish() (filter, error) { return f, nil }

func (f arrow) sizeBytes() int { return int(f.Size()) }

func (f arrow) contains(key []byte) bool { return f.opened.CheckHash(xxhash.Sum64(key)) }

func (f arrow) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f arrow) batch(keys [][]byte, hits []bool) {
	const inACall = 512 // whose hashes stay in the nearest cache
	for piece := range slices.Chunk(keys, inACall) {
		hits = hits[copy(hits, f.opened.CheckBulk(f.Hasher().Sum64s(piece))):]
	}
}

func (f arrow) batchHashes(hashes []uint64, hits []bool) { copy(hits, f.opened.CheckBulk(hashes)) }
