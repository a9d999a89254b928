package table

import "fmt"

// Database is the family of table formats that a file's magic number names.
type Database uint8

const (
	// RocksDB is the block-based table of RocksDB and Speedb. Pebble's first versions
	// wrote it, too.
	RocksDB Database = iota
	// Pebble is the table of later versions of Pebble, which has its own magic number.
	Pebble
)

// String returns the database's name.
func (d Database) String() string {
	switch d {
	case RocksDB:
		return "RocksDB"
	case Pebble:
		return "Pebble"
	}
	return fmt.Sprintf("table.Database(%d)", uint8(d))
}

// Format is a table format: the database, the version and the type of checksum.
type Format struct {
	Database Database // whose magic number the file has
	Version  int      // RocksDB's format_version, or Pebble's v1 to v7
	Checksum Checksum // of blocks
}

// String returns the format in words, such as "RocksDB format_version 5, XXH3 checksums"
// or "Pebble v4, crc32c checksums".
func (f Format) String() string {
	version := "format_version "
	if f.Database == Pebble {
		version = "v"
	}
	return fmt.Sprintf("%v %s%d, %v checksums", f.Database, version, f.Version, f.Checksum)
}

const (
	mostRocksDB = 7 // kLatestBbtFormatVersion of RocksDB 11
	mostPebble  = 7 // TableFormatPebblev7 of Pebble v2.1
)

// legacyMagic reports whether the file has LevelDB's magic number.
func (f Format) legacyMagic() bool { return f.Database == RocksDB && f.Version == 0 }

// contextual reports whether checksums depend on the place of a block.
func (f Format) contextual() bool { return f.Database == RocksDB && f.Version >= 6 }

// columnarMetaindex and columnarProperties report whether the blocks of that name
// are in Pebble's columns.
func (f Format) columnarMetaindex() bool { return f.Database == Pebble && f.Version >= 6 }

func (f Format) columnarProperties() bool { return f.Database == Pebble && f.Version >= 7 }
