package fallback

import (
	"math/bits"
	"sync/atomic"
)

// splitLine is a split block in words of a shared body: see shared.go.
type splitLine = [SplitBlockBytes / 8]uint64

var isBigEndian = byteOrder != 0

func splitLineAt(words []uint64, hash uint64) *splitLine {
	const lineWords = uint(len(splitLine{}))
	index := uint(SplitBlockOf(hash, uint32(uint(len(words))/lineWords))) * lineWords
	return (*splitLine)(words[index : index+lineWords])
}

// sharedSplitBits is splitBlockBits in the machine's byte order.
func sharedSplitBits(low uint32) splitLine {
	l := splitBlockBits(low)
	if isBigEndian {
		for i := range l {
			l[i] = bits.ReverseBytes64(l[i])
		}
	}
	return l
}

// SharedSplitBlockContains is SplitBlockContains of a shared body.
func SharedSplitBlockContains(words []uint64, hash uint64) bool {
	l, missing := splitLineAt(words, hash), uint64(0)
	for i, bits := range sharedSplitBits(uint32(hash)) {
		missing |= bits &^ atomic.LoadUint64(&l[i])
	}
	return missing == 0
}

// SharedSplitBlockContainsBatch is SplitBlockContainsBatch of a shared body.
func SharedSplitBlockContainsBatch(words []uint64, hashes, hits []uint64) {
	inGroups(hashes, hits, func(keys []uint64) (word uint64) {
		for i, hash := range keys {
			if SharedSplitBlockContains(words, hash) {
				word |= 1 << (i % group)
			}
		}
		return word
	})
}

// SharedSplitBlockAdd is SplitBlockAddKey in a shared body. It reports whether this call set a bit:
// those that another goroutine sets meanwhile do not count. A word that has both bits takes no
// atomic operation.
func SharedSplitBlockAdd(words []uint64, hash uint64) (isNew bool) {
	l, set := splitLineAt(words, hash), uint64(0)
	for i, bits := range sharedSplitBits(uint32(hash)) {
		set |= setMissing(&l[i], bits)
	}
	return set != 0
}

// setMissing sets bits of a word, and returns those that this call set. (Go 1.24.0 compiles atomic.OrUint64
// wrong in the loop above: the word's address is in a register that the operation changes.)
func setMissing(word *uint64, bits uint64) uint64 {
	for {
		before := atomic.LoadUint64(word)
		if missing := bits &^ before; missing == 0 || atomic.CompareAndSwapUint64(word, before, before|bits) {
			return missing
		}
	}
}
