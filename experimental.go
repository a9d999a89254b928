package simdbloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/hashing"
	"github.com/simdbloom/simdbloom/keyhash"
)

// ContainsHashInline is ContainsHash, which the compiler puts where it is called. It is experimental: no version
// promises to keep it. It needs from half to nine tenths of ContainsHash's time, with AVX-512 or AVX2 on amd64
// (docs/measured.md), and adds a kilobyte to the program at every place, if
//
//   - the program is built by Go 1.27 with GOEXPERIMENT=simd, an experiment that promises nothing for later versions,
//   - the filter is FastLocal of up to 16 probes, SplitBlock or, with AVX-512, Blobloom of up to 16 probes on amd64, or
//     SplitBlock on arm64,
//   - the package that calls it imports this one, not only the format's.
//
// Paired of up to 17 probes is inlined, too, if it fits a quarter of the second-level cache (AVX-512), and takes three
// quarters of ContainsHash's time. In all other cases it is ContainsHash.
//
// In a function of thousands of lines the compiler inlines nothing. Nor does it in a function literal of a function
// that it inlines, such as a short one that returns the literal; -gcflags=-m reports it as inlined nevertheless. There
// the lookup is called, as ContainsHash is, and takes nine tenths of its time. With a //go:noinline before the outer
// function, it is inlined in the literal.
func (f *Filter) ContainsHashInline(hash uint64) bool { return f.kernel.ContainsInlined(hash) }

// ContainsUint64Inline is ContainsUint64, inlined as ContainsHashInline is, and as experimental. With [keyhash.XX64]
// the hash of the value is inlined, too, also by other versions of Go.
func (f *Filter) ContainsUint64Inline(value uint64) bool { return called(f.inlineUint64(), value) }

// inlineUint64 is there because ContainsUint64Inline by itself would be too long for the compiler.
func (f *Filter) inlineUint64() func(value uint64) bool {
	return func(value uint64) bool {
		if f.hash != keyhash.XX64 { // those that look up keys in another filter are among these
			return f.ContainsUint64(value)
		}
		return f.kernel.ContainsInlined(hashing.XX64Word(value))
	}
}

// called is asm's: within that, the compiler would not inline itself again.
func called(has func(uint64) bool, value uint64) bool { return has(value) }

// Lookup returns ContainsHashInline as a function, and is as experimental. The function follows the filter if
// UnmarshalBinary replaces it.
//
// Kept in a local variable, it is inlined wherever the same function calls it. In a literal in which nothing is inlined
// it is as fast as ContainsHashInline, and without GOEXPERIMENT=simd a quarter of a nanosecond slower than
// ContainsHash. Kept in a field, or passed to another function such as slices.DeleteFunc, it takes up to 1.1 times as
// long as ContainsHash does there. If another literal calls it, such as the body of a range over a function, there is
// one call more: 1.3 times ContainsHash's time in the first-level cache. Use ContainsHashInline in that literal.
func (f *Filter) Lookup() func(hash uint64) bool {
	if !asm.InlinesLookups {
		return f.kernel.Lookup()
	}
	return func(hash uint64) bool { return f.ContainsHashInline(hash) }
}

// LookupUint64 returns ContainsUint64Inline as a function, as Lookup returns ContainsHashInline.
func (f *Filter) LookupUint64() func(value uint64) bool {
	return func(value uint64) bool { return f.ContainsUint64Inline(value) }
}
