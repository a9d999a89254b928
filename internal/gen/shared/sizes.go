// Package shared is used by the emitters of all formats: sizes, signatures, registers, prefetches and the
// levels of package cpu.
package shared

// Sizes that kernels share.
const (
	Octet     = 8 // keys, whose answers fill a byte
	Quad      = Octet / 2
	WordKeys  = 64 // keys, whose answers fill a word
	HashBytes = 8
	LineBytes = 64
)
