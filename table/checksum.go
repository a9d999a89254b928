package table

import (
	"hash/crc32"

	"github.com/cespare/xxhash/v2"
	"github.com/zeebo/xxh3"
)

// checksum is the type of a table's checksums, by the name in a [Format].
type checksum string

// The types of checksums, by RocksDB's numbers (ChecksumType in include/rocksdb/table.h).
const (
	noChecksum = "no"     // zero for any data
	crc32c     = "crc32c" // LevelDB's, masked, and Pebble's
	xxh32Sum   = "XXH32"  // with seed 0
	xxh64Sum   = "XXH64"  // the low half of XXH64 with seed 0
	xxh3Sum    = "XXH3"   // the low half of XXH3_64bits of all but the last byte, with that byte mixed in: RocksDB's default since 7.8
)

var checksums = [...]string{noChecksum, crc32c, xxh32Sum, xxh64Sum, xxh3Sum}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is RocksDB's ComputeBuiltinChecksum (table/format.cc).
func (c checksum) sum(data []byte) uint32 {
	switch c {
	case crc32c:
		crc := crc32.Checksum(data, castagnoli)
		return (crc>>15 | crc<<17) + 0xa282ead8 // so that a checksum of checksums is a good one
	case xxh32Sum:
		return xxh32(data)
	case xxh64Sum:
		return uint32(xxhash.Sum64(data))
	case xxh3Sum:
		if len(data) == 0 {
			return 0
		}
		last := len(data) - 1
		return uint32(xxh3.Hash(data[:last])) ^ uint32(data[last])*0x6b9083d9
	}
	return 0
}

// verify returns an error if want is not the checksum of the data.
func (c checksum) verify(data []byte, want uint32) error {
	switch got := c.sum(data); {
	case got == want:
		return nil
	case c == noChecksum:
		return corrupt("the table has no checksums, but %08x is recorded as the block's", want)
	default:
		return corrupt("the block's %s is %08x, but %08x is recorded", c, got, want)
	}
}

// modifier is added by format_version 6 to the checksum of a block at the offset, so
// that a block of another place or file fails its checksum (RocksDB's
// ChecksumModifierForContext, table/format.h).
func modifier(context uint32, offset uint64) uint32 {
	if context == 0 {
		return 0
	}
	return context ^ (uint32(offset) + uint32(offset>>32))
}
