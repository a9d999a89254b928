package simdbloom

import (
	"github.com/simdbloom/simdbloom/internal/hashing"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Lookup returns ContainsHash as a function. It is experimental: no version promises to keep it. A loop that calls it
// needs from half to nine tenths of the time of one that calls ContainsHash, with AVX-512 or AVX2 on amd64
// (docs/measured.md), if all of this is so:
//
//   - the program is built by Go 1.27 with GOEXPERIMENT=simd, an experiment that promises nothing for later versions,
//   - the function is kept in a local variable, and called at one place: there the compiler puts the lookup itself,
//   - the filter is FastLocal of up to 16 probes, SplitBlock or, with AVX-512, Blobloom of up to 16 probes on amd64, or
//     SplitBlock on arm64.
//
// Paired of up to 17 probes is inlined, too, if it fits a quarter of the second-level cache (AVX-512). Every lookup
// then takes the same time: a third of ContainsHash's if half the keys are present, 1.3 times it if fewer than 3 in 100
// are.
//
// The package must import this one, not only the format's. Otherwise the function is as slow as ContainsHash,
// or, kept in a field or called at two places, a nanosecond more. It follows the filter if UnmarshalBinary replaces it.
func (f *Filter) Lookup() func(hash uint64) bool { return f.kernel.Lookup() }

// LookupUint64 returns ContainsUint64 as a function, as Lookup returns ContainsHash, and is as experimental. With
// [keyhash.XX64] the hash of the value is inlined, too, also by other versions of Go.
func (f *Filter) LookupUint64() func(value uint64) bool {
	has := f.kernel.Lookup()
	return func(value uint64) bool {
		if f.hash != keyhash.XX64 { // those that look up keys in another filter are among these
			return f.ContainsUint64(value)
		}
		return has(hashing.XX64Word(value))
	}
}
