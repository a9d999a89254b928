//go:build !purego

package asm

//lint:file-ignore U1000 assembly calls these

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/hashing"
)

// These are where functions in assembly continue in Go, by jumps: where the level has no kernel. A
// Go function that chose between both would not be inlined, and its call costs a nanosecond. So the
// parameters are those of the function in assembly. (Lookups in a Kernel jump to the functions whose
// names end in ContainsGo, and batches to containsBits and containsBools.)

func fastLocalMayContainOther(data *byte, size int, hash uint64) (_ uint64, found bool) {
	return 0, fastLocalInGo(unsafe.Slice(data, size), hash)
}

func legacyMayContainOther(data *byte, size int, hash uint64, other func(data []byte, hash uint64) bool) bool {
	return legacyInGo(unsafe.Slice(data, size), hash, other)
}

func legacyContainsOtherKey(body *byte, lines uint32, probes, _ int, key []byte) bool {
	return LegacyBytes{body, lines, probes}.containsGo(uint64(hashing.Signed32(key)))
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

// What else assembly jumps to is in other files.
var (
	_ = []func(*Kernel, uint64) (_ uint64, found bool){
		containsEverything, containsNothing, notOpened, fastLocalContainsGo, sharedContainsGo, pairedContainsGo,
		linearContainsGo, ribbonContainsGo, legacyContainsGo, levelDBContainsGo, splitBlockContainsGo,
		sharedSplitBlockContainsGo, blobloomContainsGo, sharedBlobloomContainsGo,
	}
	_, _, _, _, _, _, _ = containsBits, containsBools, addInGo, addIfAbsentInGo, containsKeyInGo, containsKeysLeft, refuseFewKeys
)
