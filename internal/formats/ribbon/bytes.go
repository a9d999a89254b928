package ribbon

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

// seedAt is where the trailer has the ordinal seed, and behind it three bytes with the number of blocks.
const seedAt = 1

// PutTrailer writes the trailer of a filter.
func PutTrailer(trailer []byte, blocks uint32, seed byte) {
	trailer[rocksdb.MarkerAt] = rocksdb.MarkerRibbon
	binary.LittleEndian.PutUint32(trailer[seedAt:], blocks<<8|uint32(seed))
}

// Read reads bytes as RocksDB reads the filters that its Ribbon policy writes, of which some are
// FastLocal.
func Read(data []byte) (c contents.Contents, flaw string) {
	const tooShort = "too short for a segment and the trailer, 21 bytes"
	switch c.Format = rocksdb.FormatOf(data); {
	case c.Format == asm.FastLocal:
		return fastlocal.Read(data)
	case len(data) == 0:
		return contents.Contents{Format: asm.Empty}, ""
	case len(data) <= rocksdb.TrailerBytes:
		return c, tooShort
	case c.Format != asm.Ribbon:
		return c, ""
	}
	n := len(data) - rocksdb.TrailerBytes
	blocks := binary.LittleEndian.Uint32(data[n+seedAt:]) >> 8
	switch {
	case n < fallback.RibbonSegmentBytes:
		return c, tooShort
	case n%fallback.RibbonSegmentBytes != 0:
		return c, "a Ribbon filter, but not a whole number of 16-byte segments and the trailer"
	case blocks < fallback.LeastRibbonBlocks:
		return contents.Contents{}, ""
	}
	c.Body, c.Blocks, c.Seed, c.Prepare = data[:n], blocks, data[n+seedAt], prepare
	return c, ""
}

func prepare(c contents.Contents) asm.Kernel { return asm.NewRibbon(c.Body, c.Blocks, c.Seed) }
