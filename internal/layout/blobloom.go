package layout

import (
	"bytes"
	"encoding/binary"

	"github.com/simdbloom/simdbloom/asm"
)

// A dump of a blobloom filter is a header and blocks: the name, a version of 32 bits that is 0, the number of
// blocks less one, k, and a comment that ends with zeros.
const (
	BlobloomHeaderBytes = 64

	blobloomName      = "blobloom"
	blobloomVersionAt = 8
	blobloomBlocksAt  = 12
	blobloomKAt       = 16
	blobloomCommentAt = 20
)

// Blobloom reads bytes as blobloom's Loader does, and allows nothing behind the blocks.
func Blobloom(data []byte) (c Contents, flaw string) {
	if len(data) == 0 {
		return Contents{Format: asm.Empty}, ""
	}
	probes, flaw := BlobloomDump(data)
	if flaw != "" {
		return c, flaw
	}
	return Contents{Format: asm.Blobloom, Body: data[BlobloomHeaderBytes:], Probes: probes}, ""
}

// BlobloomDump returns the number of probes that a dump's header says, or what is wrong with the dump.
func BlobloomDump(data []byte) (probes int, flaw string) {
	switch {
	case len(data) < BlobloomHeaderBytes+asm.BlockBytes:
		return 0, "too short for the header and a block, 128 bytes"
	case string(data[:blobloomVersionAt]) != blobloomName || binary.LittleEndian.Uint32(data[blobloomVersionAt:]) != 0:
		return 0, "not a dump of blobloom's version 0"
	}
	blocks := 1 + uint64(binary.LittleEndian.Uint32(data[blobloomBlocksAt:]))
	k := binary.LittleEndian.Uint32(data[blobloomKAt:])
	comment := data[blobloomCommentAt:BlobloomHeaderBytes]
	end := bytes.IndexByte(comment, 0)
	switch {
	case blocks*asm.BlockBytes != uint64(len(data)-BlobloomHeaderBytes):
		return 0, "not as long as the blocks that the header counts"
	case blocks*asm.BlockBytes > asm.MaxBodyBytes:
		return 0, "4 GiB of blocks or more"
	case k == 0:
		return 0, "k is 0"
	case end >= 0 && string(comment[end:]) != noComment[end:]:
		return 0, "the comment goes on after a zero"
	}
	return BlobloomProbes(k), ""
}

const noComment = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// BlobloomProbes returns the number of different probes that k stands for: one less, but at least 1, and as many
// as look at different bits.
func BlobloomProbes(k uint32) int {
	return int(min(max(k, 2)-1, asm.MostBlobloomProbes))
}

// PutBlobloom writes the header of a filter of the given number of blocks and probes, and leaves the comment. It leaves a k, too,
// that stands for this number of probes.
func PutBlobloom(header []byte, blocks uint64, probes int) {
	if k := binary.LittleEndian.Uint32(header[blobloomKAt:]); k == 0 || BlobloomProbes(k) != probes {
		PutBlobloomK(header, uint32(probes)+1)
	}
	copy(header, blobloomName)
	binary.LittleEndian.PutUint32(header[blobloomVersionAt:], 0)
	binary.LittleEndian.PutUint32(header[blobloomBlocksAt:], uint32(blocks-1))
}

// PutBlobloomK writes the k of a header.
func PutBlobloomK(header []byte, k uint32) { binary.LittleEndian.PutUint32(header[blobloomKAt:], k) }
