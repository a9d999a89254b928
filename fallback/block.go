// Package fallback holds every kernel of simdbloom in plain Go. It runs where
// there is nothing faster, and it is the definition of truth: the assembly
// kernels of package asm are tested against it and documented as "as fallback.X".
// It is itself tested against package internal/test/naive: here in outline, exhaustively
// through package asm.
//
// The kernels address bytes, or words that are put together from bytes, so they
// are the same on every architecture, and take any alignment. They trust their
// arguments where package asm has checked them; whatever the bytes of a filter
// hold, they read and write only inside the slices they are given, which Go's own
// bounds checks see to. Nothing here allocates.
//
// A filter's body is a row of 64-byte blocks. The low 32 bits of a key's hash
// choose its block, the high 32 bits its bits there: probe j looks at the top
// bits of high*phi^j.
package fallback

const (
	// BlockBytes is the size of a block: one cache line.
	BlockBytes = 64

	blockBits = 8 * BlockBytes
	positions = 9 // the bits of a 32-bit product that say which bit of a block

	phi        = 0x9e3779b9 // 2^32 divided by the golden ratio
	phiSquared = phi * phi & 0xffffffff
)

// A batch goes through its keys in groups of one answer word. A first pass over
// a group loads every key's line, so that the loads wait for memory together
// and not one after the other. Bodies of at most farFrom bytes are better off
// without: a processor looks far enough ahead for its second-level cache.
const (
	group   = 64
	farFrom = 256 << 10
)

type block = [BlockBytes]byte

// Block returns which of the given number of blocks a hash belongs to.
func Block(hash uint64, blocks uint32) uint32 {
	return uint32(uint64(uint32(hash)) * uint64(blocks) >> 32)
}

func numBlocks(body []byte) uint32 { return uint32(uint64(len(body)) / BlockBytes) }

// blockAt takes a single check: of the capacity, which is made the length.
func blockAt(body []byte, index uint32) *block {
	from := uint(index) * BlockBytes
	return (*block)(body[:len(body):len(body)][from : from+BlockBytes])
}
