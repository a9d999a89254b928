package main

import (
	"github.com/simdbloom/simdbloom/internal/test/tables"

	"github.com/cespare/xxhash/v2"
	blocked "github.com/greatroar/blobloom"
)

// blobloom is blobloom's filter, with the number of probes that it chooses itself. It is
// given hashes.
type blobloom struct{ *blocked.Filter }

func newBlobloom(keys int, bitsPerKey float64) (builder, error) {
	const lowest = 1e-300 // a rate that takes all the memory
	return blobloom{blocked.NewOptimized(blocked.Config{
		Capacity: uint64(keys), FPRate: lowest, MaxBits: uint64(bitsPerKey * float64(keys)),
	})}, nil
}

func (f blobloom) add(keys [][]byte) error {
	for _, key := range keys {
		f.Add(xxhash.Sum64(key))
	}
	return nil
}

func (f blobloom) finish() (filter, error) { return f, nil }

func (f blobloom) sizeBytes() int { return int(f.NumBits() / 8) }

func (f blobloom) contains(key []byte) bool { return f.Has(xxhash.Sum64(key)) }

func (f blobloom) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f blobloom) batch(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.Has(xxhash.Sum64(key))
	}
}

func (f blobloom) batchHashes(hashes []uint64, hits []bool) {
	for i, hash := range hashes {
		hits[i] = f.Has(hash)
	}
}
