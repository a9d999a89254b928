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

func lineAt(words []uint64, hash uint64) *line {
	const lineWords = uint(len(line{}))
	index := uint(Block(hash, uint32(uint(len(words))/lineWords))) * lineWords
	return (*line)(words[index : index+lineWords])
}

// SharedFastLocalContains is FastLocalContains of a shared body.
func SharedFastLocalContains(words []uint64, probes int, hash uint64) bool {
	l, order, product := lineAt(words, hash), byteOrder, uint32(hash>>32)
	found := uint64(1)
	for ; probes > 0; probes-- {
		found &= atomic.LoadUint64(&l[product>>29]) >> ((product >> 23 & 63) ^ order)
		product *= phi
	}
	return found != 0
}

// SharedFastLocalContainsBatch is FastLocalContainsBatch of a shared body.
func SharedFastLocalContainsBatch(words []uint64, probes int, hashes, hits []uint64) {
	for len(hashes) > 0 {
		n := min(group, len(hashes))
		word := uint64(0)
		for i, hash := range hashes[:n] {
			if SharedFastLocalContains(words, probes, hash) {
				word |= 1 << i
			}
		}
		hits[0] = word
		hits, hashes = hits[1:], hashes[n:]
	}
}

// missing are the bits of a key that a line lacks.
type missing struct {
	bits  line
	words line // the numbers of the words that lack some, first
	n     int  // how many words those are
}

// missingOf gathers the key's bits word by word, so that a word is changed at most once. It
// takes no branch that depends on the line.
func missingOf(l *line, probes int, hash uint64) (m missing) {
	order, product := byteOrder, uint32(hash>>32)
	for ; probes > 0; probes-- {
		m.bits[product>>29] |= 1 << ((product >> 23 & 63) ^ order)
		product *= phi
	}
	for i := range l {
		lacks := m.bits[i] &^ atomic.LoadUint64(&l[i])
		m.bits[i] = lacks
		m.words[m.n%len(m.words)] = uint64(i)
		m.n += int((lacks | -lacks) >> 63)
	}
	return m
}

// SharedFastLocalAdd is FastLocalAddKey in a shared body.
func SharedFastLocalAdd(words []uint64, probes int, hash uint64) {
	l := lineAt(words, hash)
	m := missingOf(l, probes, hash)
	for _, i := range m.words[:m.n] {
		atomic.OrUint64(&l[i%uint64(len(l))], m.bits[i%uint64(len(l))])
	}
}

// SharedFastLocalAddIfAbsent is FastLocalAddIfAbsent in a shared body. Bits that another
// goroutine has set since do not count.
func SharedFastLocalAddIfAbsent(words []uint64, probes int, hash uint64) bool {
	l := lineAt(words, hash)
	m := missingOf(l, probes, hash)
	set := uint64(0)
	for _, i := range m.words[:m.n] {
		bits := m.bits[i%uint64(len(l))]
		set |= bits &^ atomic.OrUint64(&l[i%uint64(len(l))], bits)
	}
	return set != 0
}
