package bloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Filter tells which keys may be among those that it was built from. [Open] returns
// it; the zero Filter has no bytes, and its queries panic. UnmarshalBinary and ReadFrom fill
// one. Apart from these two, a Filter is immutable: any number of goroutines may use it at
// once. Queries allocate nothing, except AppendHits if dst is too small.
type Filter struct {
	kernel asm.FastLocal // answers the same for all keys if the kind is another one
	hash   keyhash.Hash
	contents
	data []byte
	_    [16]byte // makes it 192 bytes, which Go allocates at cache lines: see the test
}

// newFilter returns the filter of bytes with known contents.
func newFilter(data []byte, c contents, hash keyhash.Hash) *Filter {
	f := &Filter{hash: hash, contents: c, data: data}
	if c.kind == FastLocal {
		f.kernel = asm.NewFastLocal(c.body, c.probes)
	} else {
		f.kernel = asm.NewFastLocal(answers.Fixed(c.kind != Empty), 1)
	}
	return f
}

// Contains reports whether the key may have been added. False means that it was
// not.
//
// It costs the key's hash and one cache line.
func (f *Filter) Contains(key []byte) bool { return f.kernel.Contains(f.hash.Sum64(key)) }

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	return f.kernel.Contains(f.hash.Sum64String(key))
}

// ContainsHash is Contains of a key by its hash, which must be the filter's key
// hash. Use it to look up a key in many filters and hash it once.
//
// It costs a few nanoseconds if the line is cached, otherwise one cache miss.
func (f *Filter) ContainsHash(hash uint64) bool { return f.kernel.Contains(hash) }

// Kind returns what the bytes are. Every kind but the one that this package builds
// gives all keys the same answer.
func (f *Filter) Kind() Kind { return f.kind }

// Hash returns the key hash that the filter was opened with.
func (f *Filter) Hash() keyhash.Hash { return f.hash }

// NumProbes returns k, the number of bits that a lookup tests: 0 unless the kind is
// the one that this package builds.
func (f *Filter) NumProbes() int { return f.probes }

// SizeBytes returns the number of bytes that the filter was opened from.
func (f *Filter) SizeBytes() int { return len(f.data) }

// Bytes returns the bytes that the filter was opened from, or CopyAligned's copy of
// them. Store them, and [Open] reads them again. They are the filter's own memory: do
// not change them.
func (f *Filter) Bytes() []byte { return f.data }

// CopyAligned returns the same filter over a copy of its bytes that begins at a
// multiple of 64, where lookups are fastest. From 8 MiB on the copy is in huge
// pages, as Finish's filters are. The pages of a mapped file are not huge.
//
// In a filter that begins anywhere else, batches take 1.1 to 1.5 times as long.
func (f *Filter) CopyAligned() *Filter {
	data, c := aligned.Copy(f.data), f.contents
	c.body = data[:len(c.body)]
	return newFilter(data, c, f.hash)
}
