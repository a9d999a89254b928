package main

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/internal/test/tables"
	"github.com/simdbloom/simdbloom/keyhash"
)

// keyOf makes key the key of that number, and returns its hash. Keys differ in
// their last 8 bytes. An empty one stands for a key that has no more to it than
// its number, and its hash is hashOf's.
func keyOf(key []byte, seed, number uint64) (hash uint64) {
	hash = hashOf(seed, number)
	if len(key) > 0 {
		binary.LittleEndian.PutUint64(key[len(key)-leastKeyBytes:], hash)
		hash = keyhash.XX64.Sum64(key)
	}
	return hash
}

// leastKeyBytes is the length of the shortest keys that are not empty.
const leastKeyBytes = 8

// hashOf is the hash of an empty key of that number. Different numbers have different ones.
func hashOf(seed, number uint64) uint64 { return splitmix.Value(seed, number) }

// filling is what filters are filled with: the number of keys that suits a size.
type filling struct {
	bytes      int
	bitsPerKey float64 // whole thousandths
	keyBytes   int     // of each key; 0 if queries are hashes
	keys       uint64  // numbers 0 to keys-1
	filters    int     // of these bytes and keys that are queried in turn
}

func newFilling(bytes int, bitsPerKey float64, keyBytes int) filling {
	return filling{bytes, bitsPerKey, keyBytes, 8000 * uint64(bytes) / uint64(1000*bitsPerKey+0.5), 1}
}

// hashes returns the hashes of all keys, many at a time, and says how many after
// each time.
func (f filling) hashes(seed uint64, done func(keys int)) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		for hashes := range f.hashesIn(make([]uint64, 4096), seed) {
			if !yield(hashes) {
				return
			}
			done(len(hashes))
		}
	}
}

// hashesIn returns the hashes of all keys, as many at a time as there is room for.
func (f filling) hashesIn(room []uint64, seed uint64) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		key := make([]byte, f.keyBytes)
		for from := uint64(0); from < f.keys; from += uint64(len(room)) {
			hashes := room[:min(uint64(len(room)), f.keys-from)]
			for i := range hashes {
				hashes[i] = keyOf(key, seed, from+uint64(i))
			}
			if !yield(hashes) {
				return
			}
		}
	}
}

// keysOf returns the keys that have those hashes, one after the other in the same memory.
func (f filling) keysOf(seed uint64, hashes iter.Seq[[]uint64]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		key, number := make([]byte, f.keyBytes), uint64(0)
		for chunk := range hashes {
			for range chunk {
				keyOf(key, seed, number)
				if !yield(key) {
					return
				}
				number++
			}
		}
	}
}

// keySource makes queries.
type keySource struct {
	seed  uint64
	keys  uint64 // those below are in the filter
	fresh uint64 // the next absent key that was never queried
	coin  *rand.Rand
}

func newKeySource(seed, keys uint64) *keySource {
	return &keySource{seed: seed, keys: keys, fresh: keys, coin: rand.New(rand.NewPCG(seed, keys))}
}

// queries are a row's queries in a pass, and room for its answers.
type queries struct {
	hashes  []uint64
	keys    [][]byte // that have those hashes, one behind the other in memory; nil without keys
	present int      // how many of them are of the filter's keys
	batch   int      // the number in a call
	branch  bool     // whether each answer decides a branch, for rows of one key at a time

	// The answers of the last row, in its form.
	bools   []bool
	words   []uint64
	found   int
	touched uint64 // which keeps loads from being optimized away
}

func newQueries(n, batch, keyBytes int) *queries {
	if batch == 0 || batch > n {
		batch = n
	}
	words := (n + batch - 1) / batch * wordsOf(batch)
	q := &queries{hashes: make([]uint64, n), batch: batch, bools: make([]bool, n), words: make([]uint64, words)}
	clear(q.bools) // the first pass is not to wait for pages
	clear(q.words)
	if keyBytes > 0 {
		q.keys = slices.AppendSeq(make([][]byte, 0, n), slices.Chunk(make([]byte, n*keyBytes), keyBytes))
	}
	return q
}

func wordsOf(hashes int) int { return (hashes + 63) / 64 }

// fill makes other queries, in an order that no branch predictor can learn.
func (s *keySource) fill(q *queries, presentShare float64) {
	q.present = 0
	for i := range q.hashes {
		number := s.fresh
		if s.coin.Float64() < presentShare {
			number = s.coin.Uint64N(s.keys)
			q.present++
		} else {
			s.fresh++
		}
		var key []byte
		if q.keys != nil {
			key = q.keys[i]
		}
		q.hashes[i] = keyOf(key, s.seed, number)
	}
}

// number makes the first n of the queries keys of the numbers that begin with from.
func (q *queries) number(seed, from uint64, n int) {
	for i := range n {
		var key []byte
		if q.keys != nil {
			key = q.keys[i]
		}
		q.hashes[i] = keyOf(key, seed, from+uint64(i))
	}
}

// part returns some of the queries.
func (q *queries) part(from, to int) *queries {
	some := &queries{hashes: q.hashes[from:to]}
	if q.keys != nil {
		some.keys = q.keys[from:to]
	}
	return some
}

// calls yields the range of queries of each call.
func (q *queries) calls() iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(q.hashes); from += q.batch {
			if !yield(from, min(from+q.batch, len(q.hashes))) {
				return
			}
		}
	}
}

// trues counts the answers among the bools.
func (q *queries) trues() (n int) {
	for _, hit := range q.bools {
		n += tables.One(hit)
	}
	return n
}

// ones counts the answers among the words.
func (q *queries) ones() (n int) {
	for _, word := range q.words {
		n += bits.OnesCount64(word)
	}
	return n
}

// bit returns an answer among the words.
func (q *queries) bit(i int) bool {
	call, at := i/q.batch, i%q.batch
	return q.words[call*wordsOf(q.batch)+at/64]>>(at%64)&1 != 0
}

// count returns the answers that a row counted itself.
func (q *queries) count() int { return q.found }
