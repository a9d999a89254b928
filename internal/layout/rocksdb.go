package layout

import (
	"encoding/binary"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// All filters of RocksDB's tables end in a trailer of five bytes, which begins with a marker.
const (
	TrailerBytes = 5

	MarkerAt        = 0 // which kind of filter
	MarkerNewBloom  = 0xff
	MarkerRibbon    = 0xfe
	MarkerMaxLegacy = 0x7f // from 1 up to this, the number of probes

	// Of a FastLocal filter.
	variantAt        = 1 // which of the newer Bloom filters
	probesAt         = 2 // log2(block bytes)-6 in the top 3 bits, probes below
	reservedAt       = 3 // two bytes
	variantFastLocal = 0
	probesMask       = 1<<5 - 1

	// Of a Ribbon filter: the ordinal seed, and three bytes with the number of blocks.
	seedAt = 1

	// Of a legacy filter.
	linesAt = 1
)

// isPebblesEmpty reports whether bytes are five zeros, Pebble's legacy filter without keys.
func isPebblesEmpty(data []byte) bool { return string(data) == "\x00\x00\x00\x00\x00" }

// InRocksDB returns the format of a filter in RocksDB's tables, by its marker: Reserved if that is
// of none of these. Pebble's filter without keys, which has no marker, is Legacy.
func InRocksDB(data []byte) asm.Format {
	if len(data) <= TrailerBytes {
		if isPebblesEmpty(data) {
			return asm.Legacy
		}
		return asm.Reserved
	}
	switch marker := data[len(data)-TrailerBytes+MarkerAt]; {
	case marker == MarkerNewBloom:
		return asm.FastLocal
	case marker == MarkerRibbon:
		return asm.Ribbon
	case marker-1 < MarkerMaxLegacy:
		return asm.Legacy
	}
	return asm.Reserved
}

// PutFastLocal writes the trailer of a FastLocal filter.
func PutFastLocal(trailer []byte, probes int) {
	trailer[MarkerAt], trailer[variantAt], trailer[probesAt] = MarkerNewBloom, variantFastLocal, byte(probes)
}

// PutRibbon writes the trailer of a Ribbon filter.
func PutRibbon(trailer []byte, blocks uint32, seed byte) {
	trailer[MarkerAt] = MarkerRibbon
	binary.LittleEndian.PutUint32(trailer[seedAt:], blocks<<8|uint32(seed))
}

// PutLegacy writes the trailer of a legacy filter.
func PutLegacy(trailer []byte, lines uint32, probes int) {
	trailer[MarkerAt] = byte(probes)
	binary.LittleEndian.PutUint32(trailer[linesAt:], lines)
}

// FastLocal reads bytes as RocksDB reads its Bloom filters.
func FastLocal(data []byte) (c Contents, flaw string) {
	const tooShort = "too short for a block and the trailer, 69 bytes"
	switch c.Format = InRocksDB(data); {
	case len(data) == 0:
		return Contents{Format: asm.Empty}, ""
	case len(data) <= TrailerBytes:
		return c, tooShort
	case c.Format != asm.FastLocal:
		return c, ""
	}
	n := len(data) - TrailerBytes
	trailer := (*[TrailerBytes]byte)(data[n:])
	probes := int(trailer[probesAt] & probesMask)
	if trailer[variantAt] != variantFastLocal || trailer[probesAt]&^probesMask != 0 ||
		probes == 0 || probes > asm.MaxProbes ||
		trailer[reservedAt] != 0 || trailer[reservedAt+1] != 0 {
		return Contents{}, ""
	}
	n &^= asm.BlockBytes - 1
	switch {
	case n == 0:
		return c, tooShort
	case uint64(n) > asm.MaxBodyBytes:
		return c, "longer than the format's 4 GiB"
	}
	c.Body, c.Probes = data[:n], probes
	return c, ""
}

// Ribbon reads bytes as RocksDB reads the filters that its Ribbon policy writes, of which some are
// FastLocal.
func Ribbon(data []byte) (c Contents, flaw string) {
	const tooShort = "too short for a segment and the trailer, 21 bytes"
	switch c.Format = InRocksDB(data); {
	case c.Format == asm.FastLocal:
		return FastLocal(data)
	case len(data) == 0:
		return Contents{Format: asm.Empty}, ""
	case len(data) <= TrailerBytes:
		return c, tooShort
	case c.Format != asm.Ribbon:
		return c, ""
	}
	n := len(data) - TrailerBytes
	blocks := binary.LittleEndian.Uint32(data[n+seedAt:]) >> 8
	switch {
	case n < fallback.RibbonSegmentBytes:
		return c, tooShort
	case n%fallback.RibbonSegmentBytes != 0:
		return c, "a Ribbon filter, but not a whole number of 16-byte segments and the trailer"
	case blocks < fallback.LeastRibbonBlocks:
		return Contents{}, ""
	}
	c.Body, c.Blocks, c.Seed = data[:n], blocks, data[n+seedAt]
	return c, ""
}

// Legacy reads bytes as RocksDB reads its filters of before format_version 5. Pebble's five zeros
// are a filter without keys, too.
func Legacy(data []byte) (c Contents, flaw string) {
	n := len(data) - TrailerBytes
	switch c.Format = InRocksDB(data); {
	case len(data) == 0 || isPebblesEmpty(data):
		return Contents{Format: asm.Empty}, ""
	case n <= 0:
		return c, "too short for a line and the trailer, 6 bytes"
	case c.Format != asm.Legacy:
		return c, ""
	}
	count := binary.LittleEndian.Uint32(data[n+linesAt:])
	size, lines := uint64(n), uint64(count)
	if lines*asm.BlockBytes != size && uint32(lines*asm.BlockBytes) == uint32(size) {
		return c, "not as long as the lines of 64 bytes that it counts"
	}
	if lines == 0 || size%lines != 0 || bits.OnesCount64(size/lines) != 1 {
		return Contents{}, ""
	}
	c.Body, c.Lines, c.Probes = data[:n], count, int(data[n])
	return c, ""
}
