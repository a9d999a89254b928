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
	// LevelDB is the table of LevelDB and goleveldb. It has the magic number of RocksDB's
	// format_version 0, but no properties.
	LevelDB
)

// String returns the database's name.
func (d Database) String() string {
	switch d {
	case RocksDB:
		return "RocksDB"
	case Pebble:
		return "Pebble"
	case LevelDB:
		return "LevelDB"
	}
	return fmt.Sprintf("table.Database(%d)", uint8(d))
}

// Format is a table format: the database, the version and the type of checksum.
type Format struct {
	Database Database // that wrote it, or one whose format it has
	Version  int      // RocksDB's format_version, or Pebble's v1 to v7; 0 for LevelDB
	Checksum Checksum // of blocks
}

// String returns the format in words, such as "RocksDB format_version 5, XXH3 checksums",
// "Pebble v4, crc32c checksums" or "LevelDB, crc32c checksums".
func (f Format) String() string {
	version := fmt.Sprintf(" format_version %d", f.Version)
	switch f.Database {
	case Pebble:
		version = fmt.Sprintf(" v%d", f.Version)
	case LevelDB:
		version = ""
	}
	return fmt.Sprintf("%v%s, %v checksums", f.Database, version, f.Checksum)
}

const (
	mostRocksDB = 7 // kLatestBbtFormatVersion of RocksDB 11
	mostPebble  = 7 // TableFormatPebblev7 of Pebble v2.1
)

// legacyMagic reports whether the file has LevelDB's magic number.
func (f Format) legacyMagic() bool { return f.Database == RocksDB && f.Version == 0 }

// contextual reports whether checksums depend on the place of a block.
func (f Format) contextual() bool { return f.Database == RocksDB && f.Version >= 6 }

// columnarData, columnarMetaindex and columnarProperties report whether the blocks of that name
// are in Pebble's columns. The index of the data is as the data.
func (f Format) columnarData() bool { return f.Database == Pebble && f.Version >= 5 }

func (f Format) columnarMetaindex() bool { return f.Database == Pebble && f.Version >= 6 }

func (f Format) columnarProperties() bool { return f.Database == Pebble && f.Version >= 7 }
