package asm

import (
	"fmt"
	"math/bits"

	"github.com/simdbloom/simdbloom/fallback"
)

const (
	// SplitBlockBytes is the size of a split block.
	SplitBlockBytes = fallback.SplitBlockBytes

	// MaxSplitBlockBytes is the size of the largest body of split blocks.
	MaxSplitBlockBytes uint64 = 1<<32 - SplitBlockBytes

	splitBlockProbes = 8
)

// NewSplitBlock returns the filter with the given body: whole blocks of SplitBlockBytes, at least one, and at
// most MaxSplitBlockBytes.
func NewSplitBlock(body []byte) Kernel {
	if uint64(len(body))-1 >= MaxSplitBlockBytes || len(body)%SplitBlockBytes != 0 {
		panic(fmt.Sprintf("asm: len(body) must be a multiple of %d from %d to %d, not %d", SplitBlockBytes, SplitBlockBytes, MaxSplitBlockBytes, len(body)))
	}
	form := formOf(splitBlockProbes)
	return Kernel{
		body: body, entry: splitBlockEntries.of(form), format: SplitBlock, form: form, adds: addersOf(form, addsSplitBlock),
		chooses: 4, probes: splitBlockProbes, mostFew: mostFew(form, body), oneByOne: oneByOne(SplitBlock, form, body), byBlock: len(body), inlined: inlinedOf(SplitBlock, form, body, splitBlockProbes),
	}
}

// NewSharedSplitBlock is NewSplitBlock of a body that several goroutines add to and query at once: see
// [NewSharedFastLocal].
func NewSharedSplitBlock(body []byte) Kernel {
	k := NewSplitBlock(body)
	k.share(sharedSplitBlockEntries.of(k.form))
	return k
}

// addersOf returns the kernels that add keys in the filter's form, if any do.
func addersOf(f form, kernels adders) adders {
	if f == formGeneric {
		return addsInGo
	}
	return kernels
}

// SplitBlockAdd is [fallback.SplitBlockAdd]. If the hashes are swapped, their halves are.
func SplitBlockAdd(body []byte, hashes []uint64, swapped bool) {
	k := NewSplitBlock(body)
	if swapped {
		k.chooses = 0
	}
	k.addSplitBlocks(hashes)
}

func (k *Kernel) addSplitBlocksInGo(hashes []uint64) {
	if k.chooses != 0 {
		fallback.SplitBlockAdd(k.body, hashes)
		return
	}
	for _, hash := range hashes {
		fallback.SplitBlockAddKey(k.body, bits.RotateLeft64(hash, 32))
	}
}

func splitBlockContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	return 0, fallback.SplitBlockContains(k.body, hash)
}

func sharedSplitBlockContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	return 0, fallback.SharedSplitBlockContains(k.words(), hash)
}
