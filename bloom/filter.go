package bloom

import (
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
// not. It costs the key's hash and one cache line.
func (f *Filter) Contains(key []byte) bool { return f.reader.FastLocal.Contains(f.hash.Sum64(key)) }

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	return f.reader.FastLocal.Contains(f.hash.Sum64String(key))
}

// ContainsHash is Contains of a key that was hashed before, with the filter's
// key hash. With AVX-512 or AVX2 it costs 3 to 4 ns while the filter is in the
// caches (Zen 4), and a wait for memory beyond.
func (f *Filter) ContainsHash(hash uint64) bool { return f.reader.FastLocal.Contains(hash) }

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It is the fastest way
// to look up eight keys or more, because they share instructions and their cache
// misses overlap: at 10 bits per key, AVX-512 takes 0.6 ns a key in the
// first-level cache, 2.7 at 32 MiB and 5.7 at 1 GiB of huge pages (Zen 4; 1.3 ns
// for eight keys). It panics if hits is shorter than hashes, before it writes
// anything.
func (f *Filter) ContainsHashes(hashes []uint64, hits []bool) {
	f.reader.FastLocal.ContainsBools(hits, hashes)
}

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the
// rest of the last word to zero, and no later words. hits must share no memory
// with hashes. It panics if hits has less than a bit for each hash, before it
// writes anything.
func (f *Filter) ContainsHashBits(hashes, hits []uint64) {
	f.reader.FastLocal.ContainsBatch(hits, hashes)
}

// ContainsKeys sets hits[i] to Contains(keys[i]), hashing and looking up many
// keys at a time. It costs little more than the hashes and ContainsHashes: at 10
// bits per key, AVX-512 takes 4.7 ns for a key of 16 bytes at 16 KiB, 5.1 at 1
// MiB, 7.1 at 32 MiB and 10.3 at 1 GiB of huge pages, 3.9 of them for XX64; with
// XXPH3 2.7, 3.2, 5.1 and 8.8 (Zen 4). It panics if hits is shorter than keys,
// before it writes anything.
func (f *Filter) ContainsKeys(keys [][]byte, hits []bool) { f.reader.Keys(f.hash, keys, hits) }

// AppendHits appends to dst the index of every hash that may have been added, in
// ascending order, and returns the extended slice. It costs what ContainsHashBits
// does, and 1 ns for each hit (Zen 4). It allocates only when dst has no room for
// the hits, and then for as many of the hashes to come as of those before.
func (f *Filter) AppendHits(dst []int, hashes []uint64) []int {
	return f.reader.AppendHits(dst, hashes)
}

// Kind returns what the bytes turned out to be: anything but FastLocal has one
// answer for every key.
func (f *Filter) Kind() Kind { return f.kind }

// NumProbes returns k, the number of bits that a lookup tests: 0 unless the kind
// is FastLocal.
func (f *Filter) NumProbes() int { return f.reader.Probes() }

// SizeBytes returns the number of bytes that the filter was opened from.
func (f *Filter) SizeBytes() int { return f.size }

// CopyAligned returns the same filter over a copy of its blocks that begins at a
// multiple of 64, where lookups are fastest (elsewhere batches take 1.1 to 1.5
// times as long), in memory of its own: from 8 MiB on huge pages, as Finish's,
// which the pages of a mapped file are not. It costs a copy of the filter, and for
// a moment there are both.
func (f *Filter) CopyAligned() *Filter {
	moved := *f
	moved.reader = f.reader.CopyAligned()
	return &moved
}
