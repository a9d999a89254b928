package leveldb

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/hash32"
)

// Filter tells which keys may be among those that it was built from. [Open] returns it; the zero
// Filter has no bytes, and may contain every key. UnmarshalBinary and ReadFrom fill one. Apart from
// these two, a Filter is immutable: any number of goroutines may use it at once. Queries allocate
// nothing, except AppendHits if dst is too small.
type Filter struct {
	kernel asm.LevelDB
	hash   keyHash
	probes int
	body   []byte // without bits if there are no bytes
	data   []byte
}

// Contains reports whether the key may have been added. False means that it was
// not.
//
// It costs the key's hash and, beyond the caches, a cache miss for each probe: about two for an
// absent key, NumProbes for a present one.
func (f *Filter) Contains(key []byte) bool {
	hash := f.hash.first(key)
	return f.kernel.Contains(hash) || f.hash == eitherHash && f.containsSecond(key, hash)
}

// containsSecond looks up a key that is not in the filter by its first hash.
func (f *Filter) containsSecond(key []byte, first uint32) bool {
	hash, ok := f.hash.second(key, first)
	return ok && f.kernel.Contains(hash)
}

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool { return f.Contains(hash32.Bytes(key)) }

// ContainsHash is Contains of a key by its hash, [Hash] or [SignedHash], whichever the filter
// was built with. Use it to look up a key in many filters and hash it once.
func (f *Filter) ContainsHash(hash uint32) bool { return f.kernel.Contains(hash) }

// HashName returns the name of the hash that keys have: "LevelDB32" for [Hash], which is the name
// that policies record, "SignedLevelDB32" for [SignedHash], or "EitherLevelDB32" for both.
func (f *Filter) HashName() string { return hashNames[f.hash] }

// NumProbes returns k, the number of bits that a lookup tests: 0 if the filter has no bytes, or
// if it may contain every key because their number is 0 or above 30.
func (f *Filter) NumProbes() int {
	if len(f.data) == 0 {
		return 0
	}
	return f.probes
}

// SizeBytes returns the number of bytes that the filter was opened from.
func (f *Filter) SizeBytes() int { return len(f.data) }

// Bytes returns the bytes that the filter was opened from. They are the filter's own memory: do
// not change them.
func (f *Filter) Bytes() []byte { return f.data }
