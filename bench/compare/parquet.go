package main

import (
	"github.com/simdbloom/simdbloom/internal/test/tables"

	split "github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/bloom/xxhash"
)

// parquet is parquet-go's split block filter: 8 probes in 32 bytes, whatever the bits per
// key. It is given hashes, by parquet-go's own XXH64.
type parquet struct{ split.SplitBlockFilter }

func newParquet(keys int, bitsPerKey float64) (builder, error) {
	return parquet{make(split.SplitBlockFilter, bytesFor(keys, bitsPerKey)/split.BlockSize)}, nil
}

func (f parquet) add(keys [][]byte) error {
	var hashes [512]uint64
	for len(keys) > 0 {
		n := min(len(keys), len(hashes))
		for i, key := range keys[:n] {
			hashes[i] = xxhash.Sum64(key)
		}
		f.InsertBulk(hashes[:n])
		keys = keys[n:]
	}
	return nil
}

func (f parquet) finish() (filter, error) { return f, nil }

func (f parquet) sizeBytes() int { return len(f.Bytes()) }

func (f parquet) contains(key []byte) bool { return f.Check(xxhash.Sum64(key)) }

func (f parquet) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f parquet) batch(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.Check(xxhash.Sum64(key))
	}
}

func (f parquet) batchHashes(hashes []uint64, hits []bool) {
	for i, hash := range hashes {
		hits[i] = f.Check(hash)
	}
}
