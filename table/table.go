// Package table looks up keys, and prefixes of keys, in the filters of table files, in pure Go: those
// of RocksDB and Speedb (block-based tables, format_version 0 to 7), of Pebble (v1 to v7), and of
// LevelDB, its forks and goleveldb. It reads the footer, the metaindex, the properties, the filter's blocks
// and, to find a key's filter in filter blocks of LevelDB's kind, the index, and no data. Only
// [Table.Verify] reads all: it looks up every key of a table in its filter.
//
//	t, err := table.Open(file, size)
//	may, err := t.MayContain(key)          // "no" is certain
//	may, err = t.MayContainPrefix(prefix)  // if the filter has prefixes
//
// A table with deletions of ranges must not be skipped because of a "no": see [Table.MayContain]. Where
// a file does not record the order of its keys, as LevelDB's do not, [WithOrder] gives it.
//
// These read what they need and keep nothing. [Table.Reader] keeps filters for programs that look up
// many times, and [Table.Filters] yields the filters themselves, as RocksDB's FilterBitsBuilder
// returned them.
//
// A file may have any bytes. Nothing here panics because of them: there are errors. Calls read
// nothing beyond the file's end, and need memory in proportion to its size.
// (Compressed properties, which Pebble v7 may have, are limited to 1 MiB, and an index and, for Verify, a data block to
// 64 MiB and 1,024 times their size in the file.) Every block's checksum is verified. (As in RocksDB, the sequence
// number that IngestExternalFile writes into a finished file is not covered by it.)
//
// The formats are from RocksDB's table/format.cc, table/meta_blocks.cc and
// table/block_based, of Pebble's sstable/table.go and sstable/colblk, and of LevelDB's
// table/format.cc.
package table

import (
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
)

// ErrUnsupported is wrapped by errors about files that are not tables of RocksDB,
// Speedb, Pebble or LevelDB, or have a version or a compression that this package does
// not know. A table that was cut short is among them: only its end said that it is one.
var ErrUnsupported = errors.New("unsupported")

// errOrder is about an index that contradicts the order that was given.
var errOrder = fmt.Errorf("%w", ErrUnsupported)

// unknown is an error about a name that is not known. It wraps simdbloom.ErrUnknown, too, whose words it does not
// repeat.
type unknown struct{ error }

func (e unknown) Unwrap() []error { return []error{e.error, simdbloom.ErrUnknown} }

// The values of a Table's Layout.
const (
	layoutNone        = "none"
	layoutFull        = "full"
	layoutPartitioned = "partitioned"
	layoutBlockBased  = "block-based"
	layoutUnknown     = "unknown"
)

// Table is an open table file whose metadata was read. Several goroutines may use it at
// once, if they may use its file at once.
type Table struct {
	// Format is the format of the file.
	Format Format

	// Properties are the properties that the table records.
	Properties Properties

	// Layout is the way the filters are stored:
	//
	//	none          there are no filters
	//	full          one filter for the whole table
	//	partitioned   a filter for each range of keys, and an index of them
	//	block-based   a small filter for every 2 KiB of the file: LevelDB's, and RocksDB's up to version 7.2
	//	unknown       a filter that is stored in a way this package does not know, such as YugabyteDB's. It may
	//	              contain every key, and FilterName is its whole name in the table's metaindex
	Layout string

	// FilterName is the name that the filter was recorded under, which tells how to
	// read it: RocksDB's CompatibilityName or Pebble's FilterPolicy.Name. Basho's LevelDB (Riak)
	// records LevelDB's name for filters of another format: " (Basho)" is appended to it here,
	// and such filters are of unknown kind.
	FilterName string

	given          *Order                 // WithOrder's, or nil
	extractor      *filterblock.Extractor // WithExtractor's, or nil
	givenTimestamp *int                   // WithTimestampBytes', or nil

	blocks     blocks
	filters    *index  // Full or Partitioned
	filter     handle  // its block, or that of its index
	indexBlock *handle // nil if it is not recorded
	dictionary *handle // of compressed data blocks, nil if they have none
}

// Open reads the metadata of a table file of the given size: the footer, the metaindex, the properties and, of
// partitioned filters, their index. Options tell what the file does not record. Errors that are not from reading the
// file wrap [ErrUnsupported], or [simdbloom.ErrCorrupt] if the table contradicts itself or fails a checksum.
func Open(file io.ReaderAt, size int64, options ...Option) (*Table, error) {
	foot, err := readFooter(file, size)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Format: foot.format, blocks: blocks{file, uint64(size), foot.format, foot.context},
		filters: newIndex(), indexBlock: foot.index,
	}
	for _, option := range options {
		option(t)
	}
	meta, err := t.readMetaindex(foot)
	if err != nil {
		return nil, err
	}
	if meta.properties == nil && foot.format.legacyMagic() {
		t.Format.Database = databaseLevelDB
	}
	if meta.properties != nil {
		if err := t.readProperties(*meta.properties); err != nil {
			return nil, err
		}
	}
	t.Layout, t.FilterName = meta.layout, meta.filterName
	t.filter, t.dictionary = meta.filter, meta.dictionary
	if t.indexBlock == nil {
		t.indexBlock = meta.index
	}
	switch meta.layout {
	case layoutFull:
		t.filters.rows = []indexRow{{handle: meta.filter}}
	case layoutPartitioned:
		if t.filters, err = t.readIndex(meta.filter, blockName{kind: kindFilterIndex}); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func corrupt(format string, args ...any) error {
	return corruptError(fmt.Sprintf(format, args...))
}

// corruptError is simdbloom.ErrCorrupt, whose text is about a filter.
type corruptError string

func (e corruptError) Error() string { return "corrupt table: " + string(e) }

func (corruptError) Is(target error) bool { return target == simdbloom.ErrCorrupt }

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnsupported, fmt.Sprintf(format, args...))
}
