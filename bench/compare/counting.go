package main

import (
	"math"

	"github.com/simdbloom/simdbloom/internal/test/tables"

	boom "github.com/tylertreat/BoomFilters"
)

// counting is a counting Bloom filter with counters of 4 bits. It hashes keys itself.
type counting struct{ *boom.CountingBloomFilter }

const counterBits = 4

func newCounting(keys int, bitsPerKey float64) (builder, error) {
	rate := math.Exp(-math.Ln2 * math.Ln2 * bitsPerKey / counterBits) // which needs that much
	return counting{boom.NewCountingBloomFilter(uint(keys), counterBits, rate)}, nil
}

func (f counting) add(keys [][]byte) error {
	for _, key := range keys {
		f.Add(key)
	}
	return nil
}

func (f counting) finish() (filter, error) { return f, nil }

func (f counting) sizeBytes() int { return int(f.Capacity()) * counterBits / 8 }

func (f counting) contains(key []byte) bool { return f.Test(key) }

func (f counting) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f counting) batch(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.Test(key)
	}
}
