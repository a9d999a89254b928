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

func formOf(int) form {
	if cpu.Current() == cpu.NEON {
		return formNEON
	}
	return formGeneric
}

func legacyForm(probes int) form { return formOf(probes) }

// neonKeys are answered together by the kernels.
const neonKeys = 16

// batches look up in each format by kernels, in bits.
var batches = [...]func(k *Kernel, hashes []uint64, to answers, filters int){
	FastLocal: blocksBatch, Paired: pairedBatch, Linear: linearBatch, Ribbon: ribbonBatch, Legacy: legacyBatch,
	LevelDB: levelDBBatch, SplitBlock: blocksBatch, Blobloom: blocksBatch,
}

// batch looks up at least one hash, in one of some filters that are looked up in turn.
func batch(k *Kernel, hashes []uint64, to answers, filters int) {
	if k.form == formGeneric || len(hashes) <= int(k.oneByOneMax) {
		batchInGo(k, hashes, to, filters)
		return
	}
	var room bitRoom
	for {
		n, hits := to.inBits(len(hashes), &room)
		batches[k.format](hidden(k), hiddenSlice(hashes[:n]), answers{bits: hidden(&hits[0])}, filters)
		to.expand(n, hits)
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
	}
}

// blockKernels look up in filters whose keys have one block each.
var blockKernels = [...]func(k *Kernel, hashes, bits *uint64, n, ahead int){
	FastLocal: fastLocalContainsBitsNEON, SplitBlock: splitBlockContainsBitsNEON, Blobloom: blobloomContainsBitsNEON,
	Legacy: legacyContainsBitsNEON,
}

func blocksBatch(k *Kernel, hashes []uint64, to answers, _ int) {
	hashes = k.lookUpRest(hashes, to)
	for far := k.begin(hashes); len(hashes) > 0; {
		n, ahead := k.part(far, hashes)
		blockKernels[k.format](hidden(k), hidden(&hashes[0]), hidden(to.bits), n, ahead)
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
	}
}

// widenedBatch looks up hashes in a legacy filter, widened into an array on the stack.
//
//go:noinline
func widenedBatch[Array any](k *Kernel, hashes []uint64, to answers) {
	var buffer Array
	for {
		var wide []uint64
		wide, hashes = k.widened(words(&buffer), hashes)
		blocksBatch(k, wide, to, 0)
		if len(hashes) == 0 { // nothing may point behind the answers
			return
		}
		to = to.from(len(wide))
	}
}

func pairedBatch(k *Kernel, hashes []uint64, to answers, _ int) {
	hashes = k.lookUpRest(hashes, to)
	for far := k.begin(hashes); len(hashes) > 0; {
		n, ahead := k.part(far, hashes)
		pairedContainsOwnNEON(k, &hashes[0], to.bits, n, ahead)
		pairedContainsBothNEON(k, &hashes[0], to.bits, Words(n), far)
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
	}
}

// lookUpRest looks up in Go the hashes behind the whole sixteens of a batch, and returns these. The last word of bits
// is zero.
func (k *Kernel) lookUpRest(hashes []uint64, to answers) (sixteens []uint64) {
	var rest [neonKeys]uint64
	whole := len(hashes) &^ (neonKeys - 1)
	n := copy(rest[:], hashes[whole:])
	if k.format == Legacy { // widened
		for i := range rest {
			rest[i] >>= 32
		}
	}
	if n > 0 {
		var bits [1]uint64
		bitsInGo(k, rest[:n], bits[:])
		*to.from(whole &^ 63).bits |= bits[0] << (whole % 64)
	}
	return hashes[:whole]
}

func containsBitsOneByOne(k *Kernel, hashes, hits []uint64) { bitsInGo(k, hashes, hits) }

func (k *Kernel) isFarFor(hashes int) bool { return hashes > 0 && isFar(k.body) }

// oneByOneMaxOf returns the most keys of a batch without a kernel. (Contains would have the Kernel
// escape to the heap, because it calls a function's value.)
func oneByOneMaxOf(format Format, _ form, _ []byte) uint8 {
	if format == Ribbon || format == Linear {
		return octet - 1
	}
	return neonKeys - 1
}

func widen(reciprocal uint64, hashes, wide []uint64) { fallback.LegacyWiden(reciprocal, hashes, wide) }

func pairedKernelTables() {}
