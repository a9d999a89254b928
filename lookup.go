package simdbloom

// Lookup returns ContainsHash as a function. A loop that calls it needs from half to nine tenths of the time of one
// that calls ContainsHash (docs/measured.md), if all of this is so:
//
//   - the program is built by Go 1.27 with GOEXPERIMENT=simd, an experiment that promises nothing for later versions,
//   - the function is kept in a local variable, and called at one place: there the compiler puts the lookup itself,
//   - the filter is FastLocal of up to 16 probes, SplitBlock or Blobloom of up to 8 probes on amd64 (Blobloom with AVX-512), or SplitBlock on arm64.
//
// The package must import this one, not only the format's. Otherwise the function is as slow as ContainsHash,
// or, kept in a field or called at two places, a nanosecond more. It follows the filter if UnmarshalBinary replaces it.
func (f *Filter) Lookup() func(hash uint64) bool { return f.kernel.Lookup() }
