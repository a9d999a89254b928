package legacy

import (
	"encoding/binary"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

// linesAt is where the trailer has the number of lines, behind the number of probes.
const linesAt = 1

// PutTrailer writes the trailer of a filter.
func PutTrailer(trailer []byte, lines uint32, probes int) {
	trailer[rocksdb.MarkerAt] = byte(probes)
	binary.LittleEndian.PutUint32(trailer[linesAt:], lines)
}

// Read reads bytes as RocksDB reads its filters of before format_version 5. Pebble's five zeros
// are a filter without keys, too.
func Read(data []byte) (c contents.Contents, flaw string) {
	n := len(data) - rocksdb.TrailerBytes
	switch c.Format = rocksdb.FormatOf(data); {
	case len(data) == 0 || rocksdb.IsPebblesEmpty(data):
		return contents.Contents{Format: asm.Empty}, ""
	case n <= 0:
		return c, "too short for a line and the trailer, 6 bytes"
	case c.Format != asm.Legacy:
		return c, ""
	}
	lines, flaw := LinesOf(data[n:], uint64(n))
	switch {
	case flaw != "":
		return c, flaw
	case lines == 0:
		return contents.Contents{}, ""
	}
	c.Body, c.Lines, c.Probes, c.Prepare = data[:n], lines, int(data[n]), prepare
	return c, ""
}

// LinesOf returns the number of lines of a body of the given size, by the trailer, or 0 if it is another format's,
// or the filter has a flaw.
func LinesOf(trailer []byte, size uint64) (count uint32, flaw string) {
	count = binary.LittleEndian.Uint32(trailer[linesAt:])
	lines := uint64(count)
	if lines*asm.BlockBytes != size && uint32(lines*asm.BlockBytes) == uint32(size) {
		return 0, "not as long as the lines of 64 bytes that it counts"
	}
	if lines == 0 || size%lines != 0 || bits.OnesCount64(size/lines) != 1 {
		return 0, ""
	}
	return count, ""
}

func prepare(c contents.Contents) asm.Kernel { return asm.NewLegacy(c.Body, c.Lines, c.Probes) }

// LineOf returns the line of a hash.
func LineOf(hash uint64, lines uint32) uint32 { return uint32(hash) % lines }
