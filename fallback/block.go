// Package fallback has every kernel of simdbloom in pure Go, and has no stable API. It runs where no assembly
// does, and it defines the right answer: the assembly kernels of package asm are tested
// against it. It is itself tested against package internal/test/naive, exhaustively
// through package asm. Use the packages of the filters, such as bloom.
//
// The kernels read bytes, or words made of bytes in little-endian order, so they are the
// same on every architecture and take any alignment. They trust the arguments that
// package asm has checked. Whatever the bytes of a filter are, they read and write only
// inside the slices that they are given: Go's bounds checks ensure that. Nothing here
// allocates, except LinearSolve for a line of very many keys, and the methods of RibbonBand.
//
// A filter's body is a row of 64-byte blocks. In the Bloom filters, the low 32 bits of a
// key's hash choose its block, the high 32 bits its bits there: probe j looks at the top
// bits of high*phi^j. In linear filters, blocks are called lines. LevelDB's filter has no
// blocks, and hashes of 32 bits. A Ribbon filter's blocks are described in ribbon.go, and the blocks of
// Parquet's filter in splitblock.go.
package fallback

const (
	// BlockBytes is the size of a block: one cache line.
	BlockBytes = 64

	blockBits = 8 * BlockBytes
	positions = 9 // bits of a 32-bit product that number a bit of a block

	phi        = 0x9e3779b9 // 2^32 divided by the golden ratio
	phiSquared = phi * phi & 0xffffffff
)

// A batch goes through its keys in groups of one answer word. A first pass over
// a group loads every key's line, so that the loads wait for memory together
// and not one after the other. Bodies of at most farFrom bytes are faster without it (Zen 4 or Emerald Rapids): a
// processor looks far enough ahead for its second-level cache.
const (
	group   = 64
	farFrom = 256 << 10
)

// inGroups sets each word of hits to the answers of the next hashes, at most 64.
func inGroups(hashes, hits []uint64, answers func(keys []uint64) uint64) {
	for len(hashes) > 0 {
		n := min(group, len(hashes))
		hits[0] = answers(hashes[:n])
		hits, hashes = hits[1:], hashes[n:]
	}
}

type block = [BlockBytes]byte

// Block returns which of the given number of blocks a hash belongs to.
func Block(hash uint64, blocks uint32) uint32 {
	return uint32(uint64(uint32(hash)) * uint64(blocks) >> 32)
}

func numBlocks(body []byte) uint32 { return uint32(uint64(len(body)) / BlockBytes) }

// blockAt needs a single check, of the capacity, which becomes the length.
func blockAt(body []byte, index uint32) *block {
	from := uint(index) * BlockBytes
	return (*block)(body[:len(body):len(body)][from : from+BlockBytes])
}
