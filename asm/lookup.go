//go:build !goexperiment.simd || !go1.27 || go1.28 || purego || (!amd64 && !arm64)

package asm

// An inlined has no lookups: only builds with Go's SIMD intrinsics do.
type inlined struct{}

func inlinedOf(Format, form, []byte, int) inlined { return inlined{} }

// InlinesLookups reports whether Lookup's closure has lookups.
const InlinesLookups = false

// Lookup returns Contains as a closure.
//
// It is short, and calls nothing that the compiler would have to inline: see ContainsInlined.
func (k *Kernel) Lookup() func(hash uint64) bool {
	return func(hash uint64) bool {
		if raceEnabled {
			k.raceLookup(hash)
		}
		_, found := contains(k, hash)
		return found
	}
}
