package paired

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Filter answers whether keys may be among those that a filter was built from.
// It is made by Open (the zero Filter is none, and panics when asked), immutable,
// and may be used by any number of goroutines at once. No query allocates, except
// AppendHits where dst has no room.
type Filter struct {
	reader answers.Reader
	kind   Kind
	hash   keyhash.Hash
	size   int
	_      [40]byte // makes it 384 bytes, which Go allocates at cache lines: see the test
}

// Contains reports whether the key may have been added: false means that it was
// not. It costs the key's hash and one cache line, and a second one for keys that
// pass the first: those that were added, and few others.
func (f *Filter) Contains(key []byte) bool { return f.reader.Paired.Contains(f.hash.Sum64(key)) }

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	return f.reader.Paired.Contains(f.hash.Sum64String(key))
}

// ContainsHash is Contains of a key that was hashed before, with the filter's
// key hash. With AVX-512 or AVX2 it costs 3 to 5 ns for an absent key and 6 to 10 for
// a present one while the filter is in the caches (Zen 4), 15 where they come in an
// order that the processor cannot foresee, and waits for memory beyond.
func (f *Filter) ContainsHash(hash uint64) bool { return f.reader.Paired.Contains(hash) }

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It is the fastest way
// to look up 16 keys or more, because they share instructions, their cache
// misses overlap, and nothing is lost where absent and present keys alternate: at
// 23.4 bits per key, AVX-512 takes 1.1 ns for an absent key and 2.8 for a present one
// in the first-level cache, 4.5 and 9.6 at 32 MiB of huge pages (Zen 4). It takes 11 KiB
// of the stack. It panics if hits is shorter than hashes, before it writes anything.
func (f *Filter) ContainsHashes(hashes []uint64, hits []bool) {
	f.reader.Paired.ContainsBools(hits, hashes)
}

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the
// rest of the last word to zero, and no later words. hits must share no memory
// with hashes. It panics if hits has less than a bit for each hash, before it
// writes anything.
func (f *Filter) ContainsHashBits(hashes, hits []uint64) {
	f.reader.Paired.ContainsBatch(hits, hashes)
}

// ContainsKeys sets hits[i] to Contains(keys[i]), hashing and looking up many
// keys at a time. It costs little more than the hashes, 3.9 ns for a key of 16
// bytes with XX64 and 1.9 with XXPH3 (Zen 4), and ContainsHashes. It panics if
// hits is shorter than keys, before it writes anything.
func (f *Filter) ContainsKeys(keys [][]byte, hits []bool) { f.reader.Keys(f.hash, keys, hits) }

// AppendHits appends to dst the index of every hash that may have been added, in
// ascending order, and returns the extended slice. It costs what ContainsHashBits
// does, and 1 ns for each hit (Zen 4). It allocates only when dst has no room for
// the hits, and then for as many of the hashes to come as of those before.
func (f *Filter) AppendHits(dst []int, hashes []uint64) []int {
	return f.reader.AppendHits(dst, hashes)
}

// Kind returns what the bytes turned out to be: anything but Paired has one
// answer for every key.
func (f *Filter) Kind() Kind { return f.kind }

// NumProbes returns k, the number of bits that a lookup tests: 0 unless the kind
// is Paired. With an odd k, which no builder writes, the last one is not tested.
func (f *Filter) NumProbes() int { return f.reader.Probes() }

// BatchBlocks returns the number of 64-byte lines in a batch, 128 or 32: 0 unless
// the kind is Paired.
func (f *Filter) BatchBlocks() int { return f.reader.BatchBlocks() }

// Verify checks what Open does not: that in every batch the lines are paired two
// by two, each with another one. Its error wraps ErrCorrupt. It reads a byte of
// every line, so it costs as much as reading the whole filter.
//
// A filter that fails was not written by a paired builder or has been damaged.
// Looking up in it is safe, but its answers may be wrong. Damage elsewhere in
// the filter goes unseen: only a checksum finds that.
func (f *Filter) Verify() error {
	body, batch := f.reader.Body(), f.reader.BatchBlocks()
	if len(body) == 0 {
		return nil
	}
	pairOf := func(block int) int {
		return block&^(batch-1) | int(body[block*asm.BlockBytes])&(batch-1)
	}
	for block := range len(body) / asm.BlockBytes {
		switch pair := pairOf(block); {
		case pair == block:
			return wrap(fmt.Errorf("%w: line %d is paired with itself", ErrCorrupt, block))
		case pairOf(pair) != block:
			return wrap(fmt.Errorf("%w: line %d is paired with line %d, which is paired with line %d",
				ErrCorrupt, block, pair, pairOf(pair)))
		}
	}
	return nil
}

// SizeBytes returns the number of bytes that the filter was opened from.
func (f *Filter) SizeBytes() int { return f.size }

// CopyAligned returns the same filter over a copy of its blocks that begins at a
// multiple of 64, where lookups are fastest, in memory of its own: from 8 MiB on
// huge pages, as Finish's, which the pages of a mapped file are not. It costs a copy of the filter, and for
// a moment there are both.
func (f *Filter) CopyAligned() *Filter {
	moved := *f
	moved.reader = f.reader.CopyAligned()
	return &moved
}
