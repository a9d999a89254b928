package main

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/test/tables"

	"github.com/FastFilter/xorfilter"
	"github.com/cespare/xxhash/v2"
)

// Bits per key of fingerprints of 8 and of 16 bits.
const fuse8, fuse16 = 9, 18

// fuse is a binary fuse filter, whose fingerprints are of type T. It is given hashes, all of
// them at once.
type fuse[T xorfilter.Unsigned] struct{ *xorfilter.BinaryFuse[T] }

type fuseBuilder[T xorfilter.Unsigned] struct{ hashes []uint64 }

func newFuse(keys int, bitsPerKey float64) (builder, error) {
	hashes := make([]uint64, 0, keys)
	if bitsPerKey < fuse16 {
		return &fuseBuilder[uint8]{hashes}, nil
	}
	return &fuseBuilder[uint16]{hashes}, nil
}

func (b *fuseBuilder[T]) add(keys [][]byte) error {
	for _, key := range keys {
		b.hashes = append(b.hashes, xxhash.Sum64(key))
	}
	return nil
}

func (b *fuseBuilder[T]) finish() (filter, error) {
	f, err := xorfilter.NewBinaryFuse[T](b.hashes)
	return fuse[T]{f}, err
}

func (f fuse[T]) sizeBytes() int {
	var fingerprint T
	return len(f.Fingerprints) * int(unsafe.Sizeof(fingerprint))
}

func (f fuse[T]) contains(key []byte) bool { return f.Contains(xxhash.Sum64(key)) }

func (f fuse[T]) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f fuse[T]) batch(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.Contains(xxhash.Sum64(key))
	}
}

func (f fuse[T]) batchHashes(hashes []uint64, hits []bool) {
	for i, hash := range hashes {
		hits[i] = f.Contains(hash)
	}
}
