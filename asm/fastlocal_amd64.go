//go:build !purego

package asm

import "unsafe"

// inBlocks looks up hashes in the blocks of FastLocal, SplitBlock and Blobloom, or widened ones in Legacy's. The last word of bits is zero.
func (k *Kernel) inBlocks(hashes []uint64, to answers) {
	if k.isNear(hashes) {
		k.blocksKernel(&hashes[0], to, len(hashes), 0)
	} else {
		k.inFarBlocks(hashes, to)
	}
}

// inFarBlocks is a function of its own because variables of a closure are not in registers.
func (k *Kernel) inFarBlocks(hashes []uint64, to answers) {
	k.inChunks(k.isFarFor(len(hashes)), hashes, func(from, n, ahead int) {
		k.blocksKernel(&hashes[from], to.from(from), n, ahead)
	})
}

// blocksKernel calls the kernel for n hashes.
func (k *Kernel) blocksKernel(hashes *uint64, to answers, n, ahead int) {
	switch wide := k.wide(ahead); {
	case k.format == SplitBlock && k.form >= form512:
		splitBlockContainsBatchAVX512(k, hashes, to.bits, to.bools, n, ahead)
	case k.format == SplitBlock:
		splitBlockContainsBatchAVX2(k, hashes, to.bits, to.bools, n, ahead)
	case k.format == Blobloom && wide:
		blobloomContainsBatchAVX512(k, hashes, to.bits, to.bools, n, ahead)
	case k.format == Blobloom:
		blobloomContainsBatchAVX2(k, hashes, to.bits, to.bools, n, ahead)
	case k.format == Legacy && wide:
		legacyContainsBatchAVX512(k, hashes, to.bits, to.bools, n, ahead)
	case k.format == Legacy:
		legacyContainsBatchAVX2(k, hashes, to.bits, to.bools, n, ahead)
	case wide:
		fastLocalContainsBatchAVX512(k, hashes, to.bits, to.bools, n, ahead)
	default:
		fastLocalContainsBatchAVX2(k, hashes, to.bits, to.bools, n, ahead)
	}
}

// isNear reports whether one call of a kernel answers the hashes, without prefetching.
func (k *Kernel) isNear(hashes []uint64) bool {
	return len(hashes) <= nearChunk && !k.isFarFor(len(hashes))
}

// isFarFor reports whether lines are prefetched. AVX2 does so in smaller bodies, too, if
// there are enough hashes to prefetch ahead of others.
func (k *Kernel) isFarFor(hashes int) bool {
	if k.form < form512 && hashes >= ahead+64 {
		return len(k.body) >= farFromAVX2
	}
	return isFar(k.body)
}

// mostFew returns the most keys of a batch that the kernels for a few keys take: 64, or fewer if their
// lines are far.
func mostFew(f form, body []byte) int {
	switch {
	case f != form512:
		return 0
	case isFar(body):
		return mostFewFar
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
