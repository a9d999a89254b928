//go:build (amd64 || arm64) && !purego

package asm

import "unsafe"

// AreFarBits reports whether to PrefetchBits before lookups in words of the given number of bytes.
func AreFarBits(bytes int) bool { return bytes >= farFrom }

// PrefetchBits prefetches the lines that have the bits at the given places. Classic Bloom filters need it: their
// bits are anywhere.
func PrefetchBits(words []byte, at []uint64) {
	if len(at) > 0 {
		prefetchBits(unsafe.SliceData(words), unsafe.SliceData(at), len(at))
	}
}
