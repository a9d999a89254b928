package ribbon

import (
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Filter tells which keys may be among those that it was built from. [Open] returns
// it; the zero Filter has no bytes, and its queries panic. UnmarshalBinary and ReadFrom fill
// one. Apart from these two, a Filter is immutable: any number of goroutines may use it at
// once. Queries allocate nothing, except AppendHits if dst is too small.
type Filter struct {
	kernel kernel // answers the same for all keys if the kind is neither Ribbon nor FastLocal
	hash   keyhash.Hash
	contents
	data []byte
}

// newFilter returns the filter of bytes with known contents.
func newFilter(data []byte, c contents, hash keyhash.Hash) *Filter {
	f := &Filter{hash: hash, contents: c, data: data}
	switch c.kind {
	case Ribbon:
		f.kernel = ribbonKernel(c.body, c.blocks, c.seed)
	case FastLocal:
		f.kernel = fastLocalKernel(c.body, c.probes)
	default:
		f.kernel = fastLocalKernel(answers.Fixed(c.kind != Empty), 1)
	}
	return f
}

// Contains reports whether the key may have been added. False means that it was
// not.
//
// It costs the key's hash and what ContainsHash does.
func (f *Filter) Contains(key []byte) bool { return f.kernel.Contains(f.hash.Sum64(key)) }

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	return f.kernel.Contains(f.hash.Sum64String(key))
}

// ContainsHash is Contains of a key by its hash, which must be the filter's key
// hash. Use it to look up a key in many filters and hash it once.
//
// It takes on the order of 15 ns if the lines are cached, otherwise one or two cache misses: the first
// eight columns are in two runs of 128 bytes, which are loaded at once, and so are the others, of which
// few absent keys need any. In pure Go it takes twice as long.
func (f *Filter) ContainsHash(hash uint64) bool { return f.kernel.Contains(hash) }

// Kind returns what the bytes are. Kinds that this package does not build give all keys the same
// answer.
func (f *Filter) Kind() Kind { return f.kind }

// Hash returns the key hash that the filter was opened with.
func (f *Filter) Hash() keyhash.Hash { return f.hash }

// NumProbes returns the number of columns, which is the most that a lookup tests: 0 unless the
// kind is Ribbon. The first blocks may have a column less.
func (f *Filter) NumProbes() int {
	if f.kind != Ribbon {
		return 0
	}
	shape := f.kernel.ribbon.Shape()
	return shape.Columns()
}

// NumBlocks returns the number of blocks, of 128 slots: 0 unless the kind is Ribbon.
func (f *Filter) NumBlocks() int { return int(f.blocks) }

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
// In a filter that begins anywhere else, a column may straddle two cache lines.
func (f *Filter) CopyAligned() *Filter {
	data, c := aligned.Copy(f.data), f.contents
	c.body = data[:len(c.body)]
	return newFilter(data, c, f.hash)
}
