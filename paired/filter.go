package paired

import (
	"fmt"

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
	kernel asm.Paired // answers the same for all keys if the kind is another one
	hash   keyhash.Hash
	contents
	data []byte
	_    [16]byte // makes it 192 bytes, which Go allocates at cache lines: see the test
}

// newFilter returns the filter of bytes with known contents.
//
// Half of the probes, rounded down, go to each of two lines. With one probe in all,
// none do, and every key matches.
func newFilter(data []byte, c contents, hash keyhash.Hash) *Filter {
	f := &Filter{hash: hash, contents: c, data: data}
	if c.kind == Paired && c.probes >= 2 {
		f.kernel = asm.NewPaired(c.body, c.batchBlocks, c.probes)
	} else {
		f.kernel = asm.NewPaired(answers.Fixed(c.kind != Empty), answers.FixedBlocks, 2)
	}
	return f
}

// Contains reports whether the key may have been added. False means that it was
// not.
//
// It costs the key's hash and one cache line, and a second one for keys that pass
// the first: those that were added, and few others.
func (f *Filter) Contains(key []byte) bool { return f.kernel.Contains(f.hash.Sum64(key)) }

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	return f.kernel.Contains(f.hash.Sum64String(key))
}

// ContainsHash is Contains of a key by its hash, which must be the filter's key
// hash. Use it to look up a key in many filters and hash it once.
//
// It costs a few nanoseconds if the lines are cached, otherwise a cache miss for
// each. Where absent and present keys come in an order that the processor cannot
// predict, it costs a branch miss, too.
func (f *Filter) ContainsHash(hash uint64) bool { return f.kernel.Contains(hash) }

// Kind returns what the bytes are. Every kind but the one that this package builds
// gives all keys the same answer.
func (f *Filter) Kind() Kind { return f.kind }

// Hash returns the key hash that the filter was opened with.
func (f *Filter) Hash() keyhash.Hash { return f.hash }

// NumProbes returns k, the number of bits that a lookup tests: 0 unless the kind is
// the one that this package builds.
//
// With an odd k, which no builder writes, the last bit is not tested.
func (f *Filter) NumProbes() int { return f.probes }

// BatchBlocks returns the number of 64-byte lines in a batch, 128 or 32: 0 unless
// the kind is Paired.
func (f *Filter) BatchBlocks() int { return f.batchBlocks }

// Verify checks what Open does not: that in every batch the lines are paired two
// by two, each with another one. Its error wraps [ErrCorrupt]. It reads a byte of
// every line, so it costs as much as reading the whole filter.
//
// A filter that fails was not written by a paired builder or has been damaged.
// Looking up in it is safe, but its answers may be wrong. Damage elsewhere in
// the filter goes unseen: only a checksum finds that.
func (f *Filter) Verify() error {
	body, batch := f.body, f.batchBlocks
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
func (f *Filter) SizeBytes() int { return len(f.data) }

// Bytes returns the bytes that the filter was opened from, or CopyAligned's copy of
// them. Store them, and [Open] reads them again. They are the filter's own memory: do
// not change them.
func (f *Filter) Bytes() []byte { return f.data }

// CopyAligned returns the same filter over a copy of its bytes that begins at a
// multiple of 64, where lookups are fastest. From 8 MiB on the copy is in huge
// pages, as Finish's filters are. The pages of a mapped file are not huge.
func (f *Filter) CopyAligned() *Filter {
	data, c := aligned.Copy(f.data), f.contents
	c.body = data[:len(c.body)]
	return newFilter(data, c, f.hash)
}
