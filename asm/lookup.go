//go:build !goexperiment.simd || !go1.27 || go1.28 || purego || (!amd64 && !arm64)

package asm

// An inlined has no lookups: only builds with Go's SIMD intrinsics do.
type inlined struct{}

func inlinedOf(Format, form, []byte, int) inlined { return inlined{} }

// Lookup returns Contains as a closure.
func (k *Kernel) Lookup() func(hash uint64) bool {
	return func(hash uint64) bool { return k.Contains(hash) }
}
