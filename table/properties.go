package table

import (
	"encoding/binary"
	"fmt"
)

// Properties has the properties of a table that matter for filters
// (TablePropertiesNames in RocksDB's table/table_properties.cc). One that is not recorded
// is zero or empty.
type Properties struct {
	// NumEntries counts values, deletions, merge operands and deletions of ranges, of
	// every version of a key.
	NumEntries uint64
	// NumRangeDeletions counts the deletions of ranges among them, which filters do not have.
	NumRangeDeletions uint64
	// NumFilterEntries counts the different keys (and prefixes) that the filter was
	// built from. RocksDB records it since version 6.21, Pebble does not.
	NumFilterEntries uint64
	// FilterBytes is the size of all filters.
	FilterBytes uint64

	// FilterPolicy, Comparator and PrefixExtractor are names. FilterPolicy may differ from
	// [Table.FilterName], under which the filter is recorded.
	FilterPolicy, Comparator, PrefixExtractor string

	// WholeKeys and Prefixes tell what was added to the filter. RocksDB and Pebble v1 record WholeKeys. (In Pebble v1
	// a prefix is what Comparer.Split returns, and PrefixExtractor is the Comparator's name.)
	WholeKeys, Prefixes bool

	wholeKeysRecorded bool

	indexKeyIsUserKey, indexValueIsDelta uint64

	timestamps timestamps

	keySchema string // of Pebble's data blocks in columns

	indexType uint32 // RocksDB's BlockBasedTableOptions::IndexType
}

func (t *Table) readProperties(h handle) error {
	block, compressed, err := t.blocks.readProperties(h)
	if err != nil {
		return err
	}
	switch {
	case t.Format.columnarProperties():
		block, err = decompress(block, compressed, mostProperties)
	case compressed != uncompressed:
		err = unsupported("compressed by %s", t.Format.nameOf(compressed))
	}
	if err == nil {
		err = eachPair(block, t.Format.columnarProperties(), t.Properties.add)
	}
	if err != nil {
		return fmt.Errorf("the %v: %w", kindProperties, err)
	}
	return nil
}

func (p *Properties) add(key, value []byte) error {
	p.timestamps.add(key, value)
	var number *uint64
	switch string(key) {
	case "rocksdb.num.entries":
		number = &p.NumEntries
	case "rocksdb.num.range-deletions":
		number = &p.NumRangeDeletions
	case "rocksdb.num.filter_entries":
		number = &p.NumFilterEntries
	case "rocksdb.filter.size":
		number = &p.FilterBytes
	case "rocksdb.index.key.is.user.key":
		number = &p.indexKeyIsUserKey
	case "rocksdb.index.value.is.delta.encoded":
		number = &p.indexValueIsDelta

	case "rocksdb.filter.policy":
		p.FilterPolicy = string(value)
	case "pebble.colblk.schema":
		p.keySchema = string(value)
	case "rocksdb.comparator":
		p.Comparator = string(value)
	case "rocksdb.prefix.extractor.name":
		p.PrefixExtractor = string(value)
	case "rocksdb.block.based.table.whole.key.filtering":
		p.WholeKeys, p.wholeKeysRecorded = string(value) == "1", true
	case "rocksdb.block.based.table.prefix.filtering":
		p.Prefixes = string(value) == "1"
	case "rocksdb.block.based.table.index.type":
		if len(value) == 4 {
			p.indexType = binary.LittleEndian.Uint32(value)
		}
	}
	if number == nil {
		return nil
	}
	// RocksDB and Pebble skip values that are no varints, and ignore bytes behind one.
	*number, _ = binary.Uvarint(value)
	return nil
}
