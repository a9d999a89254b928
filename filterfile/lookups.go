package filterfile

import (
	"runtime"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/layout"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/legacy"
)

// Every lookup queries the filter, whatever its bytes are, and then checks the piece that it has read,
// unless all are known to be right. Where the piece is wrong, the answer is "may contain".

// Contains reports whether the key may have been added. False means that it was not.
func (f *Filter) Contains(key []byte) bool {
	o := f.state()
	hit := o.filter.Contains(key)
	if !o.sound() && !o.checkKey(key) {
		hit = true
	}
	runtime.KeepAlive(o)
	return hit
}

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	o := f.state()
	hit := o.filter.ContainsString(key)
	if !o.sound() && !o.checkHash(o.filter.Hash().Sum64String(key)) {
		hit = true
	}
	runtime.KeepAlive(o)
	return hit
}

// ContainsUint64 is Contains of the value's 8 little-endian bytes.
func (f *Filter) ContainsUint64(value uint64) bool {
	o := f.state()
	hit := o.filter.ContainsUint64(value)
	if !o.sound() && !o.checkHash(o.filter.Hash().SumUint64(value)) {
		hit = true
	}
	runtime.KeepAlive(o)
	return hit
}

// ContainsHash is Contains of a key by its hash, which must be that of Hash.
func (f *Filter) ContainsHash(hash uint64) bool {
	o := f.state()
	hit := o.containsHash(hash)
	runtime.KeepAlive(o)
	return hit
}

func (o *opened) containsHash(hash uint64) bool {
	hit := o.filter.ContainsHash(hash)
	if !o.sound() && !o.checkHash(hash) {
		hit = true
	}
	return hit
}

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It panics if hits is shorter than
// hashes, before it writes anything. It is the fastest way to look up many keys.
func (f *Filter) ContainsHashes(hashes []uint64, hits []bool) {
	o := f.state()
	o.containsHashes(hashes, hits)
	runtime.KeepAlive(o)
}

func (o *opened) containsHashes(hashes []uint64, hits []bool) {
	o.filter.ContainsHashes(hashes, hits)
	if !o.sound() {
		for i, hash := range hashes {
			hits[i] = !o.checkHash(hash) || hits[i]
		}
	}
}

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the rest of the last
// word to zero, and no later words. It panics if hits has less than a bit for each hash, before
// it writes anything.
func (f *Filter) ContainsHashBits(hashes, hits []uint64) {
	o := f.state()
	o.containsHashBits(hashes, hits)
	runtime.KeepAlive(o)
}

func (o *opened) containsHashBits(hashes, hits []uint64) {
	o.filter.ContainsHashBits(hashes, hits)
	if !o.sound() {
		for i, hash := range hashes {
			if !o.checkHash(hash) {
				hits[i/64] |= 1 << (i % 64)
			}
		}
	}
}

// ContainsKeys sets hits[i] to Contains(keys[i]), in less time than one by one. It panics if hits
// is shorter than keys, before it writes anything.
func (f *Filter) ContainsKeys(keys [][]byte, hits []bool) {
	o := f.state()
	o.filter.ContainsKeys(keys, hits)
	if !o.sound() {
		for i, key := range keys {
			hits[i] = !o.checkKey(key) || hits[i]
		}
	}
	runtime.KeepAlive(o)
}

// ContainsUint64s sets hits[i] to ContainsUint64(values[i]), in less time than one by one. It panics if
// hits is shorter than values, before it writes anything.
func (f *Filter) ContainsUint64s(values []uint64, hits []bool) {
	o := f.state()
	o.filter.ContainsUint64s(values, hits)
	if !o.sound() {
		for i, value := range values {
			hits[i] = !o.checkHash(o.filter.Hash().SumUint64(value)) || hits[i]
		}
	}
	runtime.KeepAlive(o)
}

// AppendHits appends to dst the index of every hash that may have been added, in ascending
// order, and returns the extended slice.
func (f *Filter) AppendHits(dst []int, hashes []uint64) []int {
	o := f.state()
	if o.sound() {
		dst = o.filter.AppendHits(dst, hashes)
	} else {
		words := make([]uint64, asm.Words(len(hashes)))
		o.containsHashBits(hashes, words)
		dst = answers.AppendIndexes(dst, words, 0, len(hashes))
	}
	runtime.KeepAlive(o)
	return dst
}

// sound reports whether lookups need no check.
func (o *opened) sound() bool { return o.pieces.AllRight() }

// checkKey reports whether what a lookup of the key reads is right.
func (o *opened) checkKey(key []byte) bool { return o.checkHash(o.filter.Hash().Sum64(key)) }

// checkHash reports whether what a lookup of the hash reads is right.
func (o *opened) checkHash(hash uint64) bool {
	if o.pieceOf != nil {
		return o.pieces.Check(o.pieceOf(hash))
	}
	return o.sound() || o.pieces.Err() == nil && o.pieces.CheckAll() == nil
}

// pieceOf returns which piece lookups in a filter read, or nil if they may read any.
func pieceOf(f *simdbloom.Filter) func(hash uint64) int {
	bytes := f.SizeBytes()
	switch f.Format() {
	case simdbloom.FastLocal, simdbloom.Paired:
		// The trailer is shorter than a block. A paired block is in the same batch as its pair, and a batch,
		// 2 or 8 KiB, is in one piece.
		if f.NumProbes() > 0 && f.Hash() != keyhash.RocksDB32 { // otherwise it has another hash
			blocks := uint32(bytes / asm.BlockBytes)
			return func(hash uint64) int { return int(fallback.Block(hash, blocks)) / (stored.PieceBytes / asm.BlockBytes) }
		}
	case simdbloom.SplitBlock:
		blocks := uint32(bytes / asm.SplitBlockBytes)
		return func(hash uint64) int {
			return int(fallback.SplitBlockOf(hash, blocks)) / (stored.PieceBytes / asm.SplitBlockBytes)
		}
	case simdbloom.Blobloom:
		// The header is as long as a block.
		blocks := uint32(bytes/asm.BlockBytes - 1)
		return func(hash uint64) int {
			return (int(fallback.Block(hash, blocks)) + 1) / (stored.PieceBytes / asm.BlockBytes)
		}
	case simdbloom.Legacy:
		if lines := legacy.NumLines(f); lines > 0 && f.Hash() == keyhash.RocksDB32 {
			lineBytes := (bytes - layout.TrailerBytes) / lines // 2^m
			if lineBytes <= stored.PieceBytes {
				return func(hash uint64) int { return int(uint32(hash)%uint32(lines)) / (stored.PieceBytes / lineBytes) }
			}
		}
	}
	return nil
}
