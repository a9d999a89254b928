package filterfile

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
)

// Lookups of a filter of which some pieces are unchecked, or wrong.

// containsKey checks what the lookup reads.
func (o *opened) containsKey(key []byte) bool {
	if o.place.way == anywhere {
		return !o.usable() || o.filter.Contains(key)
	}
	return o.containsHash(o.filter.Hash().Sum64(key))
}

func (o *opened) containsHash(hash uint64) bool {
	return !o.checkHash(hash) || o.filter.ContainsHash(hash)
}

// checkHash reports whether what a lookup reads is right.
func (o *opened) checkHash(hash uint64) bool {
	if o.place.way == anywhere {
		return o.usable()
	}
	return o.pieces.Check(o.place.piece(hash))
}

// usable checks all pieces, unless one is known to be wrong.
func (o *opened) usable() bool {
	return o.sound() || o.pieces.Err() == nil && o.pieces.CheckAll() == nil
}

// containsHashes is ContainsHashes. The filter answers first: what it reads may be wrong, which
// does no harm, and it panics if hits are too few.
func (o *opened) containsHashes(hashes []uint64, hits []bool) {
	o.filter.ContainsHashes(hashes, hits)
	for i, hash := range hashes {
		if !o.checkHash(hash) {
			hits[i] = true
		}
	}
}

func (o *opened) containsHashBits(hashes, hits []uint64) {
	o.filter.ContainsHashBits(hashes, hits)
	for i, hash := range hashes {
		if !o.checkHash(hash) {
			hits[i/64] |= 1 << (i % 64)
		}
	}
}

// containsKeys takes a stretch of keys at a time.
func (o *opened) containsKeys(keys [][]byte, hits []bool) {
	answers.CheckKeys(keys, hits)
	if o.place.way == anywhere {
		if o.usable() {
			o.filter.ContainsKeys(keys, hits)
			return
		}
		for i := range keys {
			hits[i] = true
		}
		return
	}
	hashes := make([]uint64, 0, min(answers.Block, len(keys)))
	for len(keys) > 0 {
		n := min(cap(hashes), len(keys))
		hashes = o.filter.Hash().AppendHashes(hashes[:0], keys[:n])
		o.containsHashes(hashes, hits[:n])
		keys, hits = keys[n:], hits[n:]
	}
}

func (o *opened) appendHits(dst []int, hashes []uint64) []int {
	words := make([]uint64, asm.Words(len(hashes)))
	o.containsHashBits(hashes, words)
	return answers.AppendIndexes(dst, words, 0, len(hashes))
}
