package simdbloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
)

// Format is a filter's format: [Filter.Format] returns it. Filters of the formats that accept keys can be [Mutable]
// and [Concurrent]. The constants list the sizes that [WithSizeBytes] accepts, where b is any number above 0; the
// smallest is the least that [WithMaxBytes] accepts.
type Format uint8

const (
	// Reserved is the format of bytes that readers read as "may contain every key": a format of the future, or the
	// zeros that stores write in place of a filter that could not be built.
	Reserved = Format(asm.Reserved)
	// Empty is a filter of zero bytes. It contains no key.
	Empty = Format(asm.Empty)
	// FastLocal is RocksDB's Bloom filter since format_version 5: package bloom. It accepts keys. Sizes are 64 b + 5:
	// blocks and the trailer.
	FastLocal = Format(asm.FastLocal)
	// Paired is Speedb's paired block Bloom filter: package paired. Sizes are 8,192 b + 4, or 2,048 b + 4 with batches
	// of 32 blocks. The least number of WithMaxBytes is 69 where the batch is not given: filters of few keys are
	// FastLocal's.
	Paired = Format(asm.Paired)
	// Linear is this library's own filter of least memory: package linear. It has no WithSizeBytes, since how many
	// lines a filter needs is known only when it has been built. The least number of WithMaxBytes is 201.
	Linear = Format(asm.Linear)
	// Ribbon is RocksDB's Ribbon filter: package ribbon. Sizes are 64 b + 5. The builder makes a FastLocal filter of
	// the size where that has the lower rate (few keys) or where no Ribbon filter can be built. Building needs up to 8
	// bytes for each byte of a filter that has more than 32 bits per key.
	Ribbon = Format(asm.Ribbon)
	// Legacy is RocksDB's full filter before format_version 5, which Pebble writes: package legacy. Sizes are
	// 64 b + 5 with an odd b, lines and the trailer, up to 512 MiB, or 4 GiB with Pebble's option.
	Legacy = Format(asm.Legacy)
	// LevelDB is LevelDB's filter: package leveldb. Sizes are any from 9 bytes to 512 MiB.
	LevelDB = Format(asm.LevelDB)
	// SplitBlock is Parquet's split-block Bloom filter: package splitblock. It accepts keys. Sizes are 32 b. A builder
	// of an exact size adds keys as they arrive and keeps no hashes, up to a size of a few MiB, unless it verifies or
	// is concurrent: it needs the filter's memory only, and less time.
	SplitBlock = Format(asm.SplitBlock)
	// Blobloom is the filter of the Go module blobloom: package blobloom. It accepts keys. Sizes are 64 b + 64: blocks
	// and the header.
	Blobloom = Format(asm.Blobloom)
)

// String returns the format's name.
func (f Format) String() string { return formats.NameOf(asm.Format(f)) }
