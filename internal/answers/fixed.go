package answers

import (
	"bytes"

	"github.com/simdbloom/simdbloom/asm"
)

// FixedBlocks is the number of blocks in the bodies that Fixed returns: the least
// that makes a batch of paired blocks.
const FixedBlocks = 32

var (
	noBits  [FixedBlocks * asm.BlockBytes]byte
	allBits = bytes.Repeat([]byte{0xff}, len(noBits))
)

// Fixed returns the body of a filter that gives every hash the same answer: all of its bits
// are set, or none. So filters of unknown formats need no branch in any query.
func Fixed(answer bool) []byte {
	if answer {
		return allBits
	}
	return noBits[:]
}
