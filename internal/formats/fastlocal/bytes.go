package fastlocal

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

// The bytes of the trailer behind the marker.
const (
	variantAt        = 1 // which of RocksDB's newer Bloom filters
	probesAt         = 2 // log2(block bytes)-6 in the top 3 bits, probes below
	reservedAt       = 3 // two bytes
	variantFastLocal = 0
)

// PutTrailer writes the trailer of a filter.
func PutTrailer(trailer []byte, probes int) {
	trailer[rocksdb.MarkerAt], trailer[variantAt], trailer[probesAt] = rocksdb.MarkerNewBloom, variantFastLocal, byte(probes)
}

// Read reads bytes as RocksDB reads its Bloom filters.
func Read(data []byte) (c contents.Contents, flaw string) {
	const tooShort = "too short for a block and the trailer, 69 bytes"
	switch c.Format = rocksdb.FormatOf(data); {
	case len(data) == 0:
		return contents.Contents{Format: asm.Empty}, ""
	case len(data) <= rocksdb.TrailerBytes:
		return c, tooShort
	case c.Format != asm.FastLocal:
		return c, ""
	}
	n := len(data) - rocksdb.TrailerBytes
	trailer := (*[rocksdb.TrailerBytes]byte)(data[n:])
	probes := int(trailer[probesAt] & rocksdb.ProbesMask)
	if trailer[variantAt] != variantFastLocal || trailer[probesAt]&^rocksdb.ProbesMask != 0 ||
		probes == 0 || probes > asm.MaxProbes ||
		trailer[reservedAt] != 0 || trailer[reservedAt+1] != 0 {
		return contents.Contents{}, ""
	}
	n &^= asm.BlockBytes - 1
	switch {
	case n == 0:
		return c, tooShort
	case uint64(n) > asm.MaxBodyBytes:
		return c, "longer than the format's 4 GiB"
	}
	c.Body, c.Probes, c.Prepare = data[:n], probes, prepare
	return c, ""
}

func prepare(c contents.Contents) asm.Kernel { return asm.NewFastLocal(c.Body, c.Probes) }
