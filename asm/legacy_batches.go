//go:build (amd64 || arm64) && !purego

package asm

import "unsafe"

// Hashes are widened into buffers on the stack. A buffer is cleared at every call, which costs as
// much as looking up a few keys, so there are three sizes. With a larger one, the stack would
// grow further.
const (
	legacyFew  = 32
	legacySome = 256
	legacyMany = nearChunk
)

// widened looks up hashes in a legacy filter.
func (k *Kernel) widened(hashes []uint64, to answers) {
	switch {
	case len(hashes) <= legacyFew:
		var wide [legacyFew]uint64
		widen(k.modulus.Reciprocal, hashes, wide[:len(hashes)])
		k.inBlocks(wide[:len(hashes)], to)
	case len(hashes) <= legacySome:
		k.someWidened(hashes, to)
	default:
		k.manyWidened(hashes, to)
	}
}

//go:noinline
func (k *Kernel) someWidened(hashes []uint64, to answers) {
	var wide [legacySome]uint64
	k.widenedInto(wide[:], hashes, to)
}

//go:noinline
func (k *Kernel) manyWidened(hashes []uint64, to answers) {
	var wide [legacyMany]uint64
	k.widenedInto(wide[:], hashes, to)
}

func (k *Kernel) widenedInto(buffer, hashes []uint64, to answers) {
	for {
		n := min(len(buffer), len(hashes))
		if to.bits == nil && n < octet {
			k.ContainsBools(hashes, unsafe.Slice(to.bools, n))
			return
		}
		widen(k.modulus.Reciprocal, hashes[:n], buffer[:n])
		k.inBlocks(buffer[:n], to)
		if n == len(hashes) { // nothing may point behind the answers
			return
		}
		hashes, to = hashes[n:], to.from(n)
	}
}
