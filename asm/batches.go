//go:build (amd64 || arm64) && !purego

package asm

import "unsafe"

// answers are where the answers of a batch go, in bits or in bools: the other pointer is nil. They are
// pointers because slices would not be passed in registers, which takes some nanoseconds a call.
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
	if k.form == formGeneric || len(hashes) == 0 {
		k.bitsInGo(hashes, hits)
		return
	}
	hits = hits[:Words(len(hashes))]
	hits[len(hits)-1] = 0 // the kernels write a part of it
	// FastLocal's kernels and LevelDB's Go break even at fewer keys than the others.
	if few := len(hashes); few < octet/2 || few < octet && k.format != FastLocal && k.format != LevelDB {
		k.addHits(0, hashes, hits)
		return
	}
	switch k.format {
	case FastLocal:
		if k.isNear(hashes) { // a call less than inBlocks
			k.blocksKernel(&hashes[0], answers{bits: &hits[0]}, len(hashes), 0)
		} else {
			k.inBlocks(hashes, answers{bits: &hits[0]})
		}
	case Paired:
		k.inPairs(hashes, answers{bits: &hits[0]})
	case Linear:
		k.inLayers(hashes, hits)
	case Ribbon:
		k.inColumns(1, hashes, hits)
	case Legacy:
		k.widened(hashes, answers{bits: &hits[0]})
	case LevelDB:
		k.bitsInGo(hashes, hits)
	}
}
