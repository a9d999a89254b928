package fallback

import (
	"encoding/binary"
	"sync/atomic"
)

// A shared filter's body is added to and queried by several goroutines at once. It is given
// as words, in the machine's byte order, since there are no atomic operations on bytes. In
// memory it is the same bytes as any other body.

// line is a block in words.
type line = [BlockBytes / 8]uint64

// byteOrder turns the number of a bit of a little-endian word into its number in the
// machine's word: in a big-endian one, the bytes are in reverse.
var byteOrder = uint32(56 * (1 - binary.NativeEndian.Uint16([]byte{1, 0})&1))

// LineAt returns a hash's block of a shared body.
func LineAt(words []uint64, hash uint64) *line {
	const lineWords = uint(len(line{}))
	index := uint(Block(hash, uint32(uint(len(words))/lineWords))) * lineWords
	return (*line)(words[index : index+lineWords])
}

// SharedFastLocalContains is FastLocalContains of a shared body.
func SharedFastLocalContains(words []uint64, probes int, hash uint64) bool {
	return containsShared(LineAt(words, hash), probes, uint32(hash>>32))
}

func containsShared(l *line, probes int, product uint32) bool {
	order, found := byteOrder, uint64(1)
	for ; probes > 0; probes-- {
		found &= atomic.LoadUint64(&l[product>>29]) >> ((product >> 23 & 63) ^ order)
		product *= phi
	}
	return found&1 != 0
}

// SharedFastLocalContainsBatch is FastLocalContainsBatch of a shared body.
func SharedFastLocalContainsBatch(words []uint64, probes int, hashes, hits []uint64) {
	inGroups(hashes, hits, func(keys []uint64) (word uint64) {
		for i, hash := range keys {
			if SharedFastLocalContains(words, probes, hash) {
				word |= 1 << (i % group)
			}
		}
		return word
	})
}

// Keys that are present change nothing, so that goroutines which add the same keys again and
// again do not take the line from each other. Of others, each probe sets its bit, though it
// may be set. In Go, gathering the bits of each word first, as asm's kernel does, or branching on
// each bit costs up to three times as much (Zen 3: 24 ns, 37 to 44, and 16 to 28 without any check).

// SharedFastLocalAdd is FastLocalAddKey in a shared body.
func SharedFastLocalAdd(words []uint64, probes int, hash uint64) {
	l, order, product := LineAt(words, hash), byteOrder, uint32(hash>>32)
	if containsShared(l, probes, product) {
		return
	}
	for ; probes > 0; probes-- {
		atomic.OrUint64(&l[product>>29], 1<<((product>>23&63)^order))
		product *= phi
	}
}

// SharedFastLocalAddIfAbsent is SharedFastLocalAdd, and reports whether it set any bit. Those that
// another goroutine sets meanwhile do not count.
func SharedFastLocalAddIfAbsent(words []uint64, probes int, hash uint64) bool {
	l, order, product := LineAt(words, hash), byteOrder, uint32(hash>>32)
	if containsShared(l, probes, product) {
		return false
	}
	set := uint64(0)
	for ; probes > 0; probes-- {
		bit := uint64(1) << ((product >> 23 & 63) ^ order)
		set |= bit &^ atomic.OrUint64(&l[product>>29], bit)
		product *= phi
	}
	return set != 0
}
