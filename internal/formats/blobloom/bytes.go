package blobloom

import (
	"bytes"
	"encoding/binary"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// A dump of a blobloom filter is a header and blocks: the name, a version of 32 bits that is 0, the number of
// blocks less one, k, and a comment that ends with zeros.
const (
	HeaderBytes = 64

	name      = "blobloom"
	versionAt = 8
	blocksAt  = 12
	kAt       = 16
	commentAt = 20
)

// Read reads bytes as blobloom's Loader does, and allows nothing behind the blocks.
func Read(data []byte) (c contents.Contents, flaw string) {
	if len(data) == 0 {
		return contents.Contents{Format: asm.Empty}, ""
	}
	probes, flaw := ReadHeader(data, uint64(len(data)))
	if flaw != "" {
		return c, flaw
	}
	return contents.Contents{Format: asm.Blobloom, Body: data[HeaderBytes:], Probes: probes, Prepare: prepare}, ""
}

func prepare(c contents.Contents) asm.Kernel { return asm.NewBlobloom(c.Body, c.Probes) }

// ReadHeader returns the number of probes in the header of a dump of the given length, of which it needs the first
// HeaderBytes, or the dump's flaw.
func ReadHeader(data []byte, length uint64) (probes int, flaw string) {
	switch {
	case length < HeaderBytes+asm.BlockBytes:
		return 0, "too short for the header and a block, 128 bytes"
	case string(data[:versionAt]) != name || binary.LittleEndian.Uint32(data[versionAt:]) != 0:
		return 0, "not a dump of blobloom's version 0"
	}
	blocks := 1 + uint64(binary.LittleEndian.Uint32(data[blocksAt:]))
	k := binary.LittleEndian.Uint32(data[kAt:])
	comment := data[commentAt:HeaderBytes]
	end := bytes.IndexByte(comment, 0)
	switch {
	case blocks*asm.BlockBytes != length-HeaderBytes:
		return 0, "not as long as the blocks that the header counts"
	case blocks*asm.BlockBytes > asm.MaxBodyBytes:
		return 0, "4 GiB of blocks or more"
	case k == 0:
		return 0, "k is 0"
	case end >= 0 && string(comment[end:]) != noComment[end:]:
		return 0, "the comment goes on after a zero"
	}
	return ProbesOf(k), ""
}

const noComment = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// ProbesOf returns the number of different probes that k stands for: one less, but at least 1, and as many
// as look at different bits.
func ProbesOf(k uint32) int {
	return int(min(max(k, 2)-1, asm.MostBlobloomProbes))
}

// PutHeader writes the header of a filter of the given number of blocks and probes, into zeros or an older header of
// that filter. It leaves the comment, and k unless it is 0: several k stand for the same number of probes.
func PutHeader(header []byte, blocks uint64, probes int) {
	if binary.LittleEndian.Uint32(header[kAt:]) == 0 {
		PutK(header, uint32(probes)+1)
	}
	copy(header, name)
	binary.LittleEndian.PutUint32(header[blocksAt:], uint32(blocks-1))
}

// PutK writes the k of a header.
func PutK(header []byte, k uint32) { binary.LittleEndian.PutUint32(header[kAt:], k) }
