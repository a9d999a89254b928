//go:build !purego

package asm

//lint:file-ignore U1000 assembly calls these

import (
	"runtime"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashing"
)

// Where assembly continues in Go, by jumps, and why. A Go function that chose between assembly and Go would not be
// inlined, and its call costs a nanosecond; and a call by a Go function's value would let its arguments escape to the
// heap. So Go calls assembly, which jumps to what fits. The parameters are those of the function in assembly, but for
// containsBits and containsBools, which pass a slice of hits on as answers.
//
//   - contains and containsKey jump to what a Kernel's entry has: a function of a format in Go at level generic.
//   - containsKey and addKey continue in containsKeyInGo and addKeyInGo with long keys, and with hashes that they do
//     not have. Long keys by XX64 have containsLongKeyXX64: keys of 36 bytes take .88 of the time so (Emerald Rapids).
//   - containsKeys continues in containsKeysInGo without keys, with more than it takes, and without room for the
//     answers, and with eight keys in containsEightInGo. For eight keys or more that its kernels do not hash together,
//     it calls containsKeysLeft.
//   - containsBits and containsBools jump to the batch of a Kernel's row, which calls kernels, or does without. They
//     continue in unusualBits and unusualBools without hashes, without room for the answers, and with the zero Kernel.
//   - bitsInGo and batch jump to what the row has, and add, addIfAbsent and missingBits to what the Kernel's adding
//     has.
//   - mayContain of bytes, which know no Kernel, continue in the functions below: at level generic, and where
//     the bytes are not as builders write them.
//   - All that take a Kernel continue in notOpened with the zero Kernel.

func unusualBits(k *Kernel, hashes, hits []uint64) {
	checkBits(hashes, hits)
	k.CheckOpen()
}

func unusualBools(k *Kernel, hashes []uint64, hits []bool) {
	checkBools(hashes, hits)
	k.CheckOpen()
}

func fastLocalMayContainOther(data *byte, size int, hash uint64) (_ uint64, found bool) {
	return 0, fastLocalInGo(unsafe.Slice(data, size), hash)
}

func legacyMayContainOther(data *byte, size int, hash uint64, other func(data []byte, hash uint64) bool) bool {
	return legacyInGo(unsafe.Slice(data, size), hash, other)
}

func legacyContainsOtherKey(body *byte, lines uint32, probes, _ int, key []byte) bool {
	return legacyBytes{body, lines, probes}.containsGo(uint64(hashing.Signed32(key)))
}

func pairedMayContainOther(data *byte, size int, hash uint64) (_ uint64, found bool) {
	return 0, pairedInGo(unsafe.Slice(data, size), hash)
}

func splitBlockMayContainOther(data *byte, size int, hash uint64) (_ uint64, found bool) {
	return 0, splitBlockInGo(unsafe.Slice(data, size), hash)
}

func ribbonMayContainOther(data *byte, size int, hash uint64, other func(data []byte, hash uint64) bool) bool {
	return ribbonInGo(unsafe.Slice(data, size), hash, other)
}

func linearMayContainOther(data *byte, size int, hash uint64, other func(data []byte, hash uint64) bool) bool {
	return linearInGo(unsafe.Slice(data, size), hash, other)
}

// fastLocalContainsGo calls package fallback: the written-out form of generic.go is no faster on amd64.
func fastLocalContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	found = fallback.FastLocalContains(k.body, k.probes, hash)
	runtime.KeepAlive(k)
	return 0, found
}

// Only assembly refers to these functions.
var (
	_ = []func(*Kernel, uint64) (_ uint64, found bool){
		containsByFormat, notOpened, fastLocalContainsGo, sharedFastLocalContainsGo, pairedContainsGo, pairedEitherContainsGo,
		linearContainsGo, ribbonContainsGo, legacyContainsGo, levelDBContainsGo, splitBlockContainsGo,
		sharedSplitBlockContainsGo, blobloomContainsGo, sharedBlobloomContainsGo,
	}
	_ = []func(k *Kernel, hashes []uint64, to answers, filters int){
		batchInGo, fastLocalBatch, pairedBatch, linearBatch, ribbonBatch, legacyBatch, levelDBBatch, splitBlockBatch, blobloomBatch,
	}
	_ = []func(k *Kernel, hashes, hits []uint64){
		bitsByFormat, fastLocalBitsInGo, sharedFastLocalBitsInGo, pairedBitsInGo, pairedEitherBitsInGo, linearBitsInGo, ribbonBitsInGo,
		legacyBitsInGo, levelDBBitsInGo, splitBlockBitsInGo, sharedSplitBlockBitsInGo, blobloomBitsInGo, sharedBlobloomBitsInGo,
	}
	_ = []func(k *Kernel, hash uint64){
		addByFormat, fastLocalAddInGo, splitBlockAddInGo, blobloomAddInGo,
	}
	_ = []func(k *Kernel, hash uint64) bool{
		addIfAbsentByFormat, fastLocalAddIfAbsentInGo, splitBlockAddIfAbsentInGo, blobloomAddIfAbsentInGo,
	}
	_, _       = containsKeyInGo, containsLongKeyXX64
	_, _, _, _ = containsKeysInGo, containsEightInGo, containsKeysLeft, addKeyInGo
)

func containsLongKeyXX64(k *Kernel, key *byte, n int) (found bool) {
	return k.Contains(xxhash.Sum64(unsafe.Slice(key, n)))
}
