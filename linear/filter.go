package linear

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Filter tells which keys may be among those that it was built from. [Open] returns
// it; do not use the zero Filter before UnmarshalBinary or ReadFrom fills it. Apart from these
// two, a Filter is immutable: any number of goroutines may use it at once. Queries allocate
// nothing, except AppendHits if dst is too small.
type Filter struct {
	kernel asm.Linear
	hash   keyhash.Hash
	contents
	data []byte
}

// newFilter returns the filter of bytes with known contents, but for the lines of the layers: it
// reads them again, since contents would be large with them.
func newFilter(data []byte, c contents, hash keyhash.Hash) *Filter {
	var lines layerLines
	if len(data) > 0 {
		read(data, &lines)
	}
	return &Filter{kernel: asm.NewLinear(c.body, lines[:c.layers], c.r), hash: hash, contents: c, data: data}
}

// Contains reports whether the key may have been added. False means that it was
// not.
//
// It costs the key's hash and one cache line, for up to a quarter of the keys two.
func (f *Filter) Contains(key []byte) bool { return f.kernel.Contains(f.hash.Sum64(key)) }

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool {
	return f.kernel.Contains(f.hash.Sum64String(key))
}

// ContainsHash is Contains of a key by its hash, which must be the filter's key
// hash. Use it to look up a key in many filters and hash it once.
//
// It costs on the order of 10 ns if the line is cached, and one cache miss otherwise, for up to
// a quarter of the keys two.
func (f *Filter) ContainsHash(hash uint64) bool { return f.kernel.Contains(hash) }

// Hash returns the key hash that the filter was opened with.
func (f *Filter) Hash() keyhash.Hash { return f.hash }

// FingerprintBits returns r, the number of bits in a key's fingerprint: the false-positive
// rate is 2^-r. It is 31 for a filter without keys.
func (f *Filter) FingerprintBits() int { return f.r }

// Layers returns the number of lines, of 64 bytes, in each layer. A filter without keys has
// no layers.
func (f *Filter) Layers() []int {
	layers := make([]int, f.layers)
	for i, lines := range f.kernel.Layers() {
		layers[i] = int(lines)
	}
	return layers
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
//
// In a filter that begins anywhere else, lines straddle two cache lines.
func (f *Filter) CopyAligned() *Filter {
	data, c := aligned.Copy(f.data), f.contents
	c.body = data[:len(c.body)]
	return newFilter(data, c, f.hash)
}
