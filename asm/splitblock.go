package asm

import (
	"fmt"
	"math/bits"
	"runtime"

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
	k := Kernel{
		body: body, format: SplitBlock, form: form, blockHalf: 4, probes: splitBlockProbes, fewMax: fewMaxOf(form, body),
		oneByOneMax: oneByOneMaxOf(SplitBlock, form, body), prefetchable: true, inlined: inlinedOf(SplitBlock, form, body, splitBlockProbes),
	}
	k.use(&splitBlockFunctions)
	return k
}

// NewSharedSplitBlock is NewSplitBlock of a body that several goroutines add to and query at once: see
// [NewSharedFastLocal].
func NewSharedSplitBlock(body []byte) Kernel {
	k := NewSplitBlock(body)
	k.share(&sharedSplitBlockFunctions)
	return k
}

// SplitBlockAdd is [fallback.SplitBlockAdd]. If the hashes are swapped, their halves are.
func SplitBlockAdd(body []byte, hashes []uint64, swapped bool) {
	k := NewSplitBlock(body)
	if swapped {
		k.blockHalf = 0
	}
	splitBlockAddAll(&k, hashes)
}

func splitBlockAddAllInGo(k *Kernel, hashes []uint64) {
	if k.blockHalf != 0 {
		fallback.SplitBlockAdd(k.body, hashes)
		return
	}
	for _, hash := range hashes {
		fallback.SplitBlockAddKey(k.body, bits.RotateLeft64(hash, 32))
	}
}

func splitBlockContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	found = fallback.SplitBlockContains(k.body, hash)
	runtime.KeepAlive(k)
	return 0, found
}

func sharedSplitBlockContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	return 0, fallback.SharedSplitBlockContains(k.words(), hash)
}

func splitBlockBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.SplitBlockContainsBatch(k.body, hashes, hits)
	runtime.KeepAlive(k)
}

func sharedSplitBlockBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.SharedSplitBlockContainsBatch(k.words(), hashes, hits)
}

func splitBlockAddInGo(k *Kernel, hash uint64) { fallback.SplitBlockAddKey(k.body, hash) }
func splitBlockAddIfAbsentInGo(k *Kernel, hash uint64) bool {
	return fallback.SplitBlockAddKey(k.body, hash)
}
func sharedSplitBlockAdd(k *Kernel, hash uint64) { fallback.SharedSplitBlockAdd(k.words(), hash) }

func sharedSplitBlockAddIfAbsent(k *Kernel, hash uint64) bool {
	return fallback.SharedSplitBlockAdd(k.words(), hash)
}
