//go:build (amd64 || arm64) && !purego

package asm

import "unsafe"

// answers are where the answers of a batch go, in bits or in bools: the other pointer is nil. They are
// pointers because slices would not be passed in registers, which costs some nanoseconds a call.
type answers struct {
	bits  *uint64
	bools *bool
}

// from returns the answers from a hash on, whose number is a multiple of 64 if they are bits.
func (a answers) from(n int) answers {
	if a.bits != nil {
		return answers{bits: (*uint64)(unsafe.Add(unsafe.Pointer(a.bits), n/8))}
	}
	return answers{bools: (*bool)(unsafe.Add(unsafe.Pointer(a.bools), n))}
}

// containsBits looks up a batch: ContainsBits is it, or continues in it.
func containsBits(k *Kernel, hashes, hits []uint64) {
	checkBits(hashes, hits)
	if k.form == formGeneric || len(hashes) <= int(k.oneByOne) {
		k.bitsInGo(hashes, hits)
		return
	}
	if k.isUneven(len(hashes)) {
		whole := len(hashes) &^ (octet - 1)
		containsBits(k, hashes[:whole], hits)
		k.addHits(whole, hashes, hits)
		return
	}
	hits = hits[:Words(len(hashes))]
	hits[len(hits)-1] = 0 // the kernels write a part of it
	switch k.format {
	case FastLocal, SplitBlock, Blobloom:
		if k.isNear(hashes) { // a call less than inBlocks
			k.blocksKernel(&hashes[0], answers{bits: &hits[0]}, len(hashes), 0)
		} else {
			k.inBlocks(hashes, answers{bits: &hits[0]})
		}
	case Paired:
		k.inPairs(hashes, answers{bits: &hits[0]})
	case Ribbon:
		k.inColumns(1, hashes, hits)
	case Legacy:
		k.widened(hashes, answers{bits: &hits[0]})
	case Linear:
		k.inLayers(1, hashes, hits)
	case LevelDB:
		k.bitsInGo(hashes, hits)
	}
}

// isUneven reports whether one or two of a number of keys are better looked up by themselves: FastLocal's and
// Blobloom's kernels for AVX2 take as long for them as for eight.
func (k *Kernel) isUneven(keys int) bool {
	rest := keys % octet
	return k.form == form256 && (k.format == FastLocal || k.format == Blobloom) && keys < 64 && 0 < rest && rest <= 2
}

// addHits looks up the hashes from a number on, less than 64. Their bits are zero before.
func (k *Kernel) addHits(from int, hashes, hits []uint64) {
	if from < len(hashes) {
		var rest [1]uint64
		k.ContainsBits(hashes[from:], rest[:])
		hits[from/64] |= rest[0] << (from % 64)
	}
}
