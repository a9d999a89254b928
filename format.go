package simdbloom

import (
	"errors"
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

// formats have the name of each format, and that of the package that builds it.
var formats = [...]struct{ name, builtBy string }{
	Reserved: {"reserved", ""}, Empty: {"empty", ""},
	FastLocal: {"FastLocal", "bloom"}, Paired: {"Paired", "paired"}, Linear: {"Linear", "linear"},
	Ribbon: {"Ribbon", "ribbon"}, Legacy: {"Legacy", "legacy"}, LevelDB: {"LevelDB", "leveldb"},
	SplitBlock: {"SplitBlock", "splitblock"}, Blobloom: {"Blobloom", "blobloom"},
}

// String returns the format's name.
func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f].name
	}
	return fmt.Sprintf("simdbloom.Format(%d)", uint8(f))
}

// notLinked returns the error for a format whose builder is not in the program.
func (f Format) notLinked() error {
	if int(f) >= len(formats) || formats[f].builtBy == "" {
		return errors.New("no filters of this format can be built")
	}
	return fmt.Errorf("to build its filters, import _ \"github.com/simdbloom/simdbloom/%s\"", formats[f].builtBy)
}
