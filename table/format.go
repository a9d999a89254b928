package table

import "fmt"

// The databases of a Format. The magic number tells them, apart from LevelDB's: its tables have that of RocksDB's
// format_version 0, but no properties.
const (
	databaseRocksDB = "RocksDB"
	databasePebble  = "Pebble"
	databaseLevelDB = "LevelDB"
)

// Format is a table format: the database, the version and the type of checksum.
type Format struct {
	// Database is "RocksDB", also for Speedb and Pebble's first versions, "Pebble", or "LevelDB", also for goleveldb.
	Database string

	Version int // RocksDB's format_version, or Pebble's v1 to v7; 0 for LevelDB

	// Checksum is the kind of the blocks' checksums: "crc32c", "XXH32", "XXH64", "XXH3" or "no", all of 32 bits.
	Checksum string
}

// String returns the format in words, such as "RocksDB format_version 5, XXH3 checksums",
// "Pebble v4, crc32c checksums" or "LevelDB, crc32c checksums".
func (f Format) String() string {
	version := fmt.Sprintf(" format_version %d", f.Version)
	switch f.Database {
	case databasePebble:
		version = fmt.Sprintf(" v%d", f.Version)
	case databaseLevelDB:
		version = ""
	}
	return fmt.Sprintf("%s%s, %s checksums", f.Database, version, f.Checksum)
}

const (
	mostRocksDB = 7 // kLatestBbtFormatVersion of RocksDB 11
	mostPebble  = 7 // TableFormatPebblev7 of Pebble v2.1
)

// legacyMagic reports whether the file has LevelDB's magic number.
func (f Format) legacyMagic() bool { return f.Database == databaseRocksDB && f.Version == 0 }

// contextual reports whether checksums depend on the place of a block.
func (f Format) contextual() bool { return f.Database == databaseRocksDB && f.Version >= 6 }

// columnarData, columnarMetaindex and columnarProperties report whether the blocks of that name
// are in Pebble's columns. The index of the data is as the data.
func (f Format) columnarData() bool { return f.Database == databasePebble && f.Version >= 5 }

func (f Format) columnarMetaindex() bool { return f.Database == databasePebble && f.Version >= 6 }

func (f Format) columnarProperties() bool { return f.Database == databasePebble && f.Version >= 7 }
