package checked

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Every lookup queries the filter, whatever its bytes are, and then checks the piece that it has read,
// unless all are known to be right. Where the piece is wrong, the answer is "may contain".

// ContainsHash looks up a hash. Files and sets call it, so Lookup is inlined here: with Go's SIMD intrinsics, one key
// of a FastLocal file takes three quarters of the time, and of a set nine tenths. Without them, it takes the same.
func (f *Filter) ContainsHash(hash uint64) bool {
	has := f.Unchecked.Lookup()
	hit := has(hash)
	if !f.Sound() && !f.CheckHash(hash) {
		hit = true
	}
	return hit
}

// ContainsHashes looks up many hashes.
func (f *Filter) ContainsHashes(hashes []uint64, hits []bool) {
	f.Unchecked.ContainsHashes(hashes, hits)
	if !f.Sound() {
		for i, hash := range hashes {
			hits[i] = !f.CheckHash(hash) || hits[i]
		}
	}
}

// ContainsHashBits looks up many hashes, into bits.
func (f *Filter) ContainsHashBits(hashes, hits []uint64) {
	f.Unchecked.ContainsHashBits(hashes, hits)
	if !f.Sound() {
		for i, hash := range hashes {
			if !f.CheckHash(hash) {
				hits[i/64] |= 1 << (i % 64)
			}
		}
	}
}

// ContainsColumn looks up the values of a column that are not null, into bits.
func (f *Filter) ContainsColumn(column keyhash.Column, hits []uint64) {
	f.Unchecked.ContainsColumn(column, hits)
	if f.Sound() {
		return
	}
	var room [64]uint64
	var valid [1]uint64
	for from, n := 0, column.Len(); from < n; from += len(room) {
		part := column.Slice(from, min(from+len(room), n))
		part.ValidBits(valid[:])
		for i, hash := range f.Unchecked.Hash().AppendColumn(room[:0], part.WithValidity(nil, 0)) {
			if valid[0]>>i&1 == 1 && !f.CheckHash(hash) {
				hits[from/64] |= 1 << i
			}
		}
	}
}

// Sound reports whether lookups need no check.
func (f *Filter) Sound() bool { return f.pieces.AllRight() }

// CheckKey reports whether the bytes that a lookup of the key reads are right.
func (f *Filter) CheckKey(key []byte) bool { return f.CheckHash(f.Unchecked.Hash().Sum64(key)) }

// CheckHash reports whether the bytes that a lookup of the hash reads are right.
func (f *Filter) CheckHash(hash uint64) bool {
	if f.pieceOf != nil {
		return f.pieces.Check(f.pieceOf(hash))
	}
	return f.Sound() || f.pieces.Err() == nil && f.pieces.CheckAll() == nil
}

// pieceOf returns which piece, of the given size, lookups in a filter read, or nil if they may read any.
func pieceOf(f *simdbloom.Filter, pieceBytes int) func(hash uint64) int {
	blockBytes, place := formats.PlaceOf(asm.Format(f.Format()), f.Bytes(), f.Hash())
	const batchBytes = 128 * asm.BlockBytes // of Paired, whose lookups may read any block of a batch
	if place == nil || blockBytes > pieceBytes || f.Format() == simdbloom.Paired && batchBytes > pieceBytes {
		return nil
	}
	return func(hash uint64) int { return place(hash) / pieceBytes }
}
