package main

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/keyhash"
)

const keyBytes = 16

// keySet has keys by their numbers. Different numbers have different keys.
type keySet struct{ seed uint64 }

func (s keySet) put(key []byte, number uint64) {
	binary.LittleEndian.PutUint64(key, number) // no two are equal
	binary.LittleEndian.PutUint64(key[8:], splitmix.Value(s.seed, number))
}

// newKeys returns room for n keys, one behind the other in memory.
func newKeys(n int) [][]byte {
	return slices.AppendSeq(make([][]byte, 0, n), slices.Chunk(make([]byte, n*keyBytes), keyBytes))
}

// queries are keys to look up.
type queries struct {
	keys    [][]byte
	hashes  []uint64 // of the keys, by XXH64
	xxph3   []uint64 // of the keys, by XXPH3
	present []bool
	hits    []bool // room for answers
}

// The shares of queries that are of present keys.
const (
	absentOnly = 0
	half       = 0.5
)

func newQueries(n int) *queries {
	return &queries{newKeys(n), make([]uint64, n), make([]uint64, n), make([]bool, n), make([]bool, n)}
}

// fill makes queries, with the given share of present keys: those numbered below keys. The
// others begin at absent. It returns the first number after those that it took.
func (q *queries) fill(s keySet, coin *rand.Rand, keys, absent uint64, share float64) (next uint64) {
	for i, key := range q.keys {
		q.present[i] = coin.Float64() < share
		number := absent
		if q.present[i] {
			number = coin.Uint64N(keys)
		} else {
			absent++
		}
		s.put(key, number)
		q.hashes[i], q.xxph3[i] = xxhash.Sum64(key), keyhash.XXPH3.Sum64(key)
	}
	return absent
}

// hashesFor are the hashes for a filter's methods.
func (q *queries) hashesFor(f hashFilter) []uint64 {
	if _, ok := f.(interface{ takesXXPH3() }); ok {
		return q.xxph3
	}
	return q.hashes
}

// lost is the number of present keys whose hit is false.
func (q *queries) lost() (n int) {
	for i, present := range q.present {
		if present && !q.hits[i] {
			n++
		}
	}
	return n
}

func count(bools []bool) (n int) {
	for _, b := range bools {
		if b {
			n++
		}
	}
	return n
}

// bytesFor is the size of a filter, in whole blocks of 64 bytes.
func bytesFor(keys int, bitsPerKey float64) int {
	const block = 64
	return (int(bitsPerKey*float64(keys))/8 + block - 1) / block * block
}
