package main

import (
	"math"

	"github.com/simdbloom/simdbloom/internal/test/tables"

	standard "github.com/bits-and-blooms/bloom/v3"
)

// bitsAndBlooms is the standard Bloom filter of bits-and-blooms. It hashes keys itself.
type bitsAndBlooms struct{ *standard.BloomFilter }

func newBitsAndBlooms(keys int, bitsPerKey float64) (builder, error) {
	return bitsAndBlooms{standard.New(8*uint(bytesFor(keys, bitsPerKey)), optimalProbes(bitsPerKey))}, nil
}

func (f bitsAndBlooms) add(keys [][]byte) error {
	for _, key := range keys {
		f.Add(key)
	}
	return nil
}

func (f bitsAndBlooms) finish() (filter, error) { return f, nil }

func (f bitsAndBlooms) sizeBytes() int { return int(f.Cap() / 8) }

func (f bitsAndBlooms) contains(key []byte) bool { return f.Test(key) }

func (f bitsAndBlooms) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f bitsAndBlooms) batch(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.Test(key)
	}
}

// optimalProbes is the best number of probes of a standard Bloom filter.
func optimalProbes(bitsPerKey float64) uint { return uint(math.Round(math.Ln2 * bitsPerKey)) }
