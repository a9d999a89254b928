//go:build !purego

package asm

// addSplitBlocks adds hashes, swapped ones if their low halves choose the blocks.
func (k *Kernel) addSplitBlocks(hashes []uint64) {
	if k.adds == addsInGo || len(hashes) == 0 {
		k.addSplitBlocksInGo(hashes)
		return
	}
	k.addsAll(hashes)
	if len(k.body) >= splitAddFarFrom {
		k.addFarSplitBlocks(hashes)
		return
	}
	for len(hashes) > 0 {
		n := min(nearChunk, len(hashes))
		k.addSplitKernel(&hashes[0], n, 0)
		hashes = hashes[n:]
	}
}

// addFarSplitBlocks is a function of its own because variables of a closure are not in registers.
func (k *Kernel) addFarSplitBlocks(hashes []uint64) {
	k.inChunks(true, hashes, func(from, n, ahead int) { k.addSplitKernel(&hashes[from], n, ahead) })
}

func (k *Kernel) addSplitKernel(hashes *uint64, n, ahead int) {
	if k.form >= form512 {
		splitBlockAddAVX512(k, hashes, n, ahead)
	} else {
		splitBlockAddAVX2(k, hashes, n, ahead)
	}
}
