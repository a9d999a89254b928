package main

import (
	"errors"

	"github.com/simdbloom/simdbloom/internal/test/tables"

	cuckoofilter "github.com/seiflotfy/cuckoofilter"
)

// cuckoo is a cuckoo filter with fingerprints of 8 bits, whose size is a power of two. It
// hashes keys itself.
type cuckoo struct{ *cuckoofilter.Filter }

func newCuckoo(keys int, _ float64) (builder, error) {
	return cuckoo{cuckoofilter.NewFilter(uint(keys))}, nil
}

func (f cuckoo) add(keys [][]byte) error {
	for _, key := range keys {
		if !f.Insert(key) {
			return errors.New("no room for a key")
		}
	}
	return nil
}

func (f cuckoo) finish() (filter, error) { return f, nil }

func (f cuckoo) sizeBytes() int { return len(f.Encode()) }

func (f cuckoo) contains(key []byte) bool { return f.Lookup(key) }

func (f cuckoo) each(keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}

func (f cuckoo) batch(keys [][]byte, hits []bool) {
	for i, key := range keys {
		hits[i] = f.Lookup(key)
	}
}
