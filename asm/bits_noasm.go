//go:build (!amd64 && !arm64) || purego

package asm

// AreFarBits reports whether to PrefetchBits before lookups in words of the given number of bytes. It is false
// here: Go has no prefetch instruction.
func AreFarBits(int) bool { return false }

// PrefetchBits does nothing.
func PrefetchBits([]byte, []uint64) {}
