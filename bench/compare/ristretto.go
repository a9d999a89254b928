package main

import (
	"github.com/simdbloom/simdbloom/internal/test/tables"

	"github.com/cespare/xxhash/v2"
	"github.com/dgraph-io/ristretto/v2/z"
)

// ristretto is the Bloom filter of ristretto and Badger, whose size is a power of two. It is
// given hashes.
type ristretto struct{ *z.Bloom }

func newRistretto(keys int, bitsPerKey float64) (builder, error) {
	return ristretto{z.NewBloomFilter(float64(8*bytesFor(keys, bitsPerKey)), float64(optimalProbes(bitsPerKey)))}, nil
}

func (f ristretto) add(keys [][]byte) error {
	for _, key := range keys {
		f.Add(xxhash.Sum64(key))
	}
	return nil
}

func (f ristretto) finish() (filter, error) { return f, nil }

func (f ristretto) sizeBytes() int { return f.TotalSize() }

func (f ristretto) contains(key []byte) bool { return f.Has(xxhash.Sum64(key)) }

func (f ristretto) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f ristretto) batch(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.Has(xxhash.Sum64(key))
	}
}

func (f ristretto) batchHashes(hashes []uint64, hits []bool) {
	for i, hash := range hashes {
		hits[i] = f.Has(hash)
	}
}
