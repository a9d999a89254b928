//go:build (amd64 || arm64) && !purego

package asm

import (
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
)

// levelDBBatch has no kernel.
func levelDBBatch(k *Kernel, hashes []uint64, to answers, _ int) {
	if to.bits != nil {
		fallback.LevelDBContainsBatch(k.body, k.levelDB().modulus, k.probes, hashes, unsafe.Slice(to.bits, Words(len(hashes))))
		runtime.KeepAlive(k)
		return
	}
	var room bitRoom
	for {
		n, hits := to.inBits(len(hashes), &room)
		fallback.LevelDBContainsBatch(k.body, k.levelDB().modulus, k.probes, hashes[:n], hits)
		to.expand(n, hits)
		if n == len(hashes) {
			runtime.KeepAlive(k)
			return
		}
		hashes, to = hashes[n:], to.from(n)
	}
}

// Legacy's hashes are widened into buffers on the stack. A buffer is cleared at every call, which costs as
// much as looking up a few keys, so there are three sizes. With a larger one, the stack would
// grow further.
const (
	legacyFew  = 32
	legacySome = 256
	legacyMany = nearChunk
)

// legacyBatch looks up hashes in a legacy filter.
func legacyBatch(k *Kernel, hashes []uint64, to answers, _ int) {
	switch {
	case len(hashes) <= legacyFew:
		widenedBatch[[legacyFew]uint64](k, hashes, to)
	case len(hashes) <= legacySome:
		widenedBatch[[legacySome]uint64](k, hashes, to)
	default:
		widenedBatch[[legacyMany]uint64](k, hashes, to)
	}
}

// widened returns the first hashes, widened into the buffer, and those that are left: an octet at least, or none.
func (k *Kernel) widened(buffer, hashes []uint64) (wide, left []uint64) {
	n := min(len(buffer), len(hashes))
	if left := len(hashes) - n; 0 < left && left < octet {
		n -= 64
	}
	widen(k.legacy().modulus.Reciprocal, hashes[:n], buffer[:n])
	return buffer[:n], hashes[n:]
}

// words returns the words of an array.
func words[T any](array *T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(array)), unsafe.Sizeof(*array)/8)
}

// addHits looks up the hashes from a number on, 1 to 63, one by one. Their bits are zero before.
func (k *Kernel) addHits(from int, hashes, hits []uint64) {
	var rest [1]uint64
	containsBitsOneByOne(k, hashes[from:], rest[:])
	hits[from/64] |= rest[0] << (from % 64)
}

// ribbonDistance returns where most lines of bodies of the given size come from: 0 is a cache that
// need not be prefetched from, 1 is another one, 2 is memory.
func ribbonDistance(bytes uint64) uint8 {
	switch {
	case bytes >= uint64(farFrom):
		return 2
	case bytes >= uint64(ribbonFarFrom):
		return 1
	default:
		return 0
	}
}
