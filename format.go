package simdbloom

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
)

// Format is what the bytes of a filter are: [Filter.Format] returns it.
type Format uint8

const (
	// Reserved is what readers take as "may contain every key": a format of the future, or the
	// zeros that stores write in place of a filter that could not be built.
	Reserved = Format(asm.Reserved)
	// Empty is a filter of zero bytes. It contains no key.
	Empty = Format(asm.Empty)
	// FastLocal is RocksDB's Bloom filter since format_version 5: package bloom.
	FastLocal = Format(asm.FastLocal)
	// Paired is Speedb's paired block Bloom filter: package paired.
	Paired = Format(asm.Paired)
	// Linear is this library's own filter of least memory: package linear.
	Linear = Format(asm.Linear)
	// Ribbon is RocksDB's Ribbon filter: package ribbon.
	Ribbon = Format(asm.Ribbon)
	// Legacy is RocksDB's full filter before format_version 5, which Pebble writes: package legacy.
	Legacy = Format(asm.Legacy)
	// LevelDB is LevelDB's filter: package leveldb.
	LevelDB = Format(asm.LevelDB)
	// SplitBlock is Parquet's split-block Bloom filter: package splitblock.
	SplitBlock = Format(asm.SplitBlock)
	// Blobloom is the filter of the Go module blobloom: package blobloom.
	Blobloom = Format(asm.Blobloom)
)

var formatNames = [...]string{
	Reserved: "reserved", Empty: "empty", FastLocal: "FastLocal", Paired: "Paired", Linear: "Linear",
	Ribbon: "Ribbon", Legacy: "Legacy", LevelDB: "LevelDB", SplitBlock: "SplitBlock", Blobloom: "Blobloom",
}

// String returns the format's name.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("simdbloom.Format(%d)", uint8(f))
}
