package table

import (
	"fmt"
	"hash/crc32"

	"github.com/cespare/xxhash/v2"
	"github.com/zeebo/xxh3"
)

// Checksum is the type of a table's checksums (RocksDB's ChecksumType). All have 32
// bits.
type Checksum uint8

const (
	// NoChecksum is zero for any data.
	NoChecksum Checksum = iota
	// CRC32c is LevelDB's, masked, and Pebble's.
	CRC32c
	// XXH32 is XXH32 with seed 0.
	XXH32
	// XXH64 is the low half of XXH64 with seed 0.
	XXH64
	// XXH3 is the low half of XXH3_64bits of all but the last byte, with that byte
	// mixed in. It is RocksDB's default since 7.8.
	XXH3
)

var checksumNames = [...]string{NoChecksum: "no", CRC32c: "crc32c", XXH32: "XXH32", XXH64: "XXH64", XXH3: "XXH3"}

// String returns the checksum's name, and "no" for none.
func (c Checksum) String() string {
	if c.known() {
		return checksumNames[c]
	}
	return fmt.Sprintf("table.Checksum(%d)", uint8(c))
}

func (c Checksum) known() bool { return int(c) < len(checksumNames) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is RocksDB's ComputeBuiltinChecksum (table/format.cc).
func (c Checksum) sum(data []byte) uint32 {
	switch c {
	case CRC32c:
		crc := crc32.Checksum(data, castagnoli)
		return (crc>>15 | crc<<17) + 0xa282ead8 // so that a checksum of checksums is a good one
	case XXH32:
		return xxh32(data)
	case XXH64:
		return uint32(xxhash.Sum64(data))
	case XXH3:
		if len(data) == 0 {
			return 0
		}
		last := len(data) - 1
		return uint32(xxh3.Hash(data[:last])) ^ uint32(data[last])*0x6b9083d9
	}
	return 0
}

// verify returns an error if want is not the checksum of the data.
func (c Checksum) verify(data []byte, want uint32) error {
	switch got := c.sum(data); {
	case got == want:
		return nil
	case c == NoChecksum:
		return corrupt("the table has no checksums, but %08x is recorded as the block's", want)
	default:
		return corrupt("the block's %v is %08x, but %08x is recorded", c, got, want)
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
