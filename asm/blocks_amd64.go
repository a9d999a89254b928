//go:build !purego

package asm

import (
	"unsafe"
)

// These look up batches of at least one hash, in the formats' rows. Each format has its own loop, so that a program
// that builds one links no kernels of others.

func fastLocalBatch(k *Kernel, hashes []uint64, to answers, filters int) {
	n, ahead, far := len(hashes), 0, false
	if filters != prefetched && !k.isOnePart(n) {
		hashes, n, ahead, far = k.firstPart(hashes, to)
	}
	for {
		if k.wide(ahead) {
			fastLocalContainsBatchAVX512(k, &hashes[0], to.bits, to.bools, n, ahead)
		} else {
			fastLocalContainsBatchAVX2(k, &hashes[0], to.bits, to.bools, n, ahead)
		}
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
		n, ahead = k.part(far, hashes)
	}
}

func blobloomBatch(k *Kernel, hashes []uint64, to answers, filters int) {
	n, ahead, far := len(hashes), 0, false
	if filters != prefetched && !k.isOnePart(n) {
		hashes, n, ahead, far = k.firstPart(hashes, to)
	}
	for {
		if k.wide(ahead) {
			blobloomContainsBatchAVX512(k, &hashes[0], to.bits, to.bools, n, ahead)
		} else {
			blobloomContainsBatchAVX2(k, &hashes[0], to.bits, to.bools, n, ahead)
		}
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
		n, ahead = k.part(far, hashes)
	}
}

func splitBlockBatch(k *Kernel, hashes []uint64, to answers, filters int) {
	n, ahead, far := len(hashes), 0, false
	if filters != prefetched && !k.isOnePart(n) {
		hashes, n, ahead, far = k.firstPart(hashes, to)
	}
	for {
		if k.form >= form512 {
			splitBlockContainsBatchAVX512(k, &hashes[0], to.bits, to.bools, n, ahead)
		} else {
			splitBlockContainsBatchAVX2(k, &hashes[0], to.bits, to.bools, n, ahead)
		}
		if n == len(hashes) {
			return
		}
		hashes, to = hashes[n:], to.from(n)
		n, ahead = k.part(far, hashes)
	}
}

// widenedBatch looks up hashes in a legacy filter, widened into an array on the stack.
//
//go:noinline
func widenedBatch[Array any](k *Kernel, hashes []uint64, to answers) {
	var buffer Array
	var wide []uint64
	n, ahead, far := 0, 0, false
	for {
		if len(wide) > 0 {
			n, ahead = k.part(far, wide)
		} else {
			wide, hashes = k.widened(words(&buffer), hashes)
			if n, ahead = len(wide), 0; !k.isOnePart(n) {
				wide, n, ahead, far = k.firstPart(wide, to)
			}
		}
		if k.wide(ahead) {
			legacyContainsBatchAVX512(k, &wide[0], to.bits, to.bools, n, ahead)
		} else {
			legacyContainsBatchAVX2(k, &wide[0], to.bits, to.bools, n, ahead)
		}
		if wide = wide[n:]; len(wide) == 0 && len(hashes) == 0 { // nothing may point behind the answers
			return
		}
		to = to.from(n)
	}
}

// pairedBatch skips the quick test of the keys' own blocks while most keys are found: it makes
// present keys about 20 % slower (processor not recorded).
func pairedBatch(k *Kernel, hashes []uint64, to answers, filters int) {
	direct := false
	n, ahead, far := len(hashes), 0, filters == prefetched
	if !far && !k.isOnePart(n) {
		hashes, n, ahead, far = k.firstPart(hashes, to)
	}
	for {
		if far && ahead == 0 {
			ahead = -1 // for the other blocks
		}
		found := 0
		if k.form >= form512 {
			found = pairedContainsBatchAVX512(k, &hashes[0], to.bits, to.bools, n, ahead, direct)
		} else {
			found = pairedContainsBatchAVX2(k, &hashes[0], to.bits, to.bools, n, ahead, direct)
		}
		if n == len(hashes) {
			return
		}
		direct = 8*found > 5*n
		hashes, to = hashes[n:], to.from(n)
		n, ahead = k.part(far, hashes)
	}
}

// setParts sets which batches are one part.
func (k *Kernel) setParts() {
	k.onePartMax, k.restMax = nearChunk, 0
	switch {
	case isFar(k.body):
		k.onePartMax = 0
	case k.isFarFor(ahead + 64):
		k.onePartMax = ahead + 63
	}
	if k.form != formGeneric && k.form < form512 && (k.format == FastLocal || k.format == Blobloom) {
		k.restMax = 2
	}
}

// isOnePart reports whether one call of a kernel answers n hashes, without prefetching.
func (k *Kernel) isOnePart(n int) bool { return n <= int(k.onePartMax) && !k.isUneven(n) }

// isUneven reports whether one or two of n keys are better looked up by themselves: FastLocal's and Blobloom's
// kernels for AVX2 take as long for them as for eight.
func (k *Kernel) isUneven(n int) bool { return n < 64 && uint(n%octet-1) < uint(k.restMax) }

// firstPart begins a batch. It may look up one or two of the last keys by themselves: the others are left.
func (k *Kernel) firstPart(hashes []uint64, to answers) (left []uint64, n, ahead int, far bool) {
	if n := len(hashes); k.isUneven(n) {
		whole := n &^ (octet - 1)
		k.lookUpRest(whole, hashes[whole:], to)
		hashes = hashes[:whole]
	}
	far = k.begin(hashes)
	n, ahead = k.part(far, hashes)
	return hashes, n, ahead, far
}

// lookUpRest looks up one or two of less than 64 keys, from a number on. Bits are zero before.
func (k *Kernel) lookUpRest(from int, rest []uint64, to answers) {
	if to.bits != nil {
		var bits [1]uint64
		containsBitsOneByOne(k, rest, bits[:])
		*to.bits |= bits[0] << from
	} else {
		containsBoolsOneByOne(k, rest, unsafe.Slice(to.from(from).bools, len(rest)))
	}
}

// isFarFor reports whether lines are prefetched. AVX2 does so in smaller bodies, too, if there are enough hashes to
// prefetch ahead of others. In Paired it does not.
func (k *Kernel) isFarFor(hashes int) bool {
	if k.form < form512 && k.format != Paired && hashes >= ahead+64 {
		return len(k.body) >= farFromAVX2
	}
	return isFar(k.body)
}

// fewMaxOf returns the most keys of a batch that the kernels for a few keys take: 64, or fewer if their
// lines are far.
func fewMaxOf(f form, body []byte) uint8 {
	switch {
	case f != form512:
		return 0
	case isFar(body):
		return fewMaxFar
	default:
		return 64
	}
}

// wide reports whether AVX-512 is to be used.
//
// While most lines come from memory, up to 16 probes are faster in AVX2: loading
// 32 bytes twice takes 2.8 ns at 32 MiB and 3.6 at 64 MiB where loading 64 at once
// takes 3.3 and 4.2 (Zen 4, k=6). At 8 MiB AVX2 is 2 to 9 % faster for blocks that lie
// across two lines, and only it has loops for them.
func (k *Kernel) wide(ahead int) bool { return k.form >= form512 && (ahead == 0 || k.wideAhead()) }

func (k *Kernel) wideAhead() bool {
	return k.form == form512by32 || len(k.body) < memoryFrom && k.isAligned()
}

// isAligned reports whether blocks are cache lines.
func (k *Kernel) isAligned() bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(k.body)))%BlockBytes == 0
}
