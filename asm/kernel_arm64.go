//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// Only batches of lookups have kernels. By llvm-mca, NEON would gain nothing elsewhere:
//
//   - A single lookup is a chain of dependent instructions: at k=6 it takes 30 to 33 cycles
//     and ten for the call of assembly, where pure Go takes 26 (Neoverse N1, V1, V2).
//   - Adding has to find each probe's bit in four vectors, with 14 vector instructions a
//     probe. With four vector units, six probes take 21 cycles; pure Go takes 13. With two
//     units (N1) it is 42 and 25.
//   - Counting and partitioning are loads and stores.
//   - Widening Legacy's hashes is a product and a few more instructions for a key.

// formNEON is the form of all filters: the kernels choose by the number of probes.
const formNEON = form512by32 + 1

func level() cpu.Level { return cpu.Current() }

func formOf(int) form {
	if cpu.Current() == cpu.NEON {
		return formNEON
	}
	return formGeneric
}

func legacyForm(probes int) form { return formOf(probes) }

// neonKeys are answered together by the kernels.
const neonKeys = 16

// inBlocks looks up hashes in the blocks of FastLocal, SplitBlock and Blobloom, or widened ones in Legacy's. There are no kernels for bools.
func (k *Kernel) inBlocks(hashes []uint64, to answers) {
	k.inSixteens(hashes, to, func(from, n, ahead int) { k.blocksKernel(&hashes[from], to.from(from), n, ahead) })
}

// isNear reports whether one call of the kernel answers the hashes, at least one, without prefetching.
func (k *Kernel) isNear(hashes []uint64) bool {
	return len(hashes)%neonKeys == 0 && len(hashes) <= nearChunk && !isFar(k.body)
}

// blocksKernel calls the kernel for n hashes.
func (k *Kernel) blocksKernel(hashes *uint64, to answers, n, ahead int) {
	switch k.format {
	case Legacy:
		legacyContainsBitsNEON(k, hashes, to.bits, n, ahead)
	case Blobloom:
		blobloomContainsBitsNEON(k, hashes, to.bits, n, ahead)
	case SplitBlock:
		splitBlockContainsBitsNEON(k, hashes, to.bits, n, ahead)
	default:
		fastLocalContainsBitsNEON(k, hashes, to.bits, n, ahead)
	}
}

// inPairs looks up hashes in Paired's blocks.
func (k *Kernel) inPairs(hashes []uint64, to answers) {
	far := isFar(k.body)
	k.inSixteens(hashes, to, func(from, n, ahead int) {
		bits := to.from(from).bits
		pairedContainsOwnNEON(k, &hashes[from], bits, n, ahead)
		pairedContainsBothNEON(k, &hashes[from], bits, Words(n), far)
	})
}

// inSixteens calls the kernel for parts of the hashes that begin at multiples of 64 and are
// whole sixteens, and looks up the rest in Go. The last word of bits is zero.
func (k *Kernel) inSixteens(hashes []uint64, to answers, kernel func(from, n, ahead int)) {
	whole := len(hashes) &^ (neonKeys - 1)
	if whole > 0 {
		k.inChunks(isFar(k.body), hashes[:whole], kernel)
	}
	var rest [neonKeys]uint64
	n := copy(rest[:], hashes[whole:])
	if k.format == Legacy { // widened
		for i := range rest {
			rest[i] >>= 32
		}
	}
	if n > 0 {
		var bits [1]uint64
		k.bitsInGo(rest[:n], bits[:])
		*to.from(whole &^ 63).bits |= bits[0] << (whole % 64)
	}
}

// oneByOne returns the most keys of a batch without a kernel. (Contains would have the Kernel
// escape to the heap, because it calls a function's value.)
func oneByOne(format Format, _ form, _ []byte) uint32 {
	if format == Ribbon || format == Linear {
		return octet - 1
	}
	return neonKeys - 1
}

func widen(reciprocal uint64, hashes, wide []uint64) { fallback.LegacyWiden(reciprocal, hashes, wide) }
