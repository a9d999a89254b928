package table

import (
	"bytes"
	"fmt"
	"slices"
)

// A metaindex's entry of a filter is one of these prefixes and the filter's name
// (BlockBasedTable in table/block_based/block_based_table_reader.cc).
const (
	fullFilter        = "fullfilter."
	partitionedFilter = "partitionedfilter."
	blockBasedFilter  = "filter."

	propertiesName    = "rocksdb.properties"
	oldPropertiesName = "rocksdb.stats" // until RocksDB 2.7
	indexName         = "rocksdb.index" // of the data blocks, since format_version 6
	dictionaryName    = "rocksdb.compression_dict"
	bashoCounters     = "stats.sst1" // only Basho's LevelDB has them

	ownIndexPrefix = "rocksdb.user_defined_index." // and a name, which may be any
	mostFilterName = 1 << 10                       // of filters of other layouts: thousands of rows can share a long key
)

// layouts are in RocksDB's order: it reads the first that a table has.
var layouts = []struct{ prefix, layout string }{
	{fullFilter, layoutFull},
	{partitionedFilter, layoutPartitioned},
	{blockBasedFilter, layoutBlockBased},
}

// metaindex has the places of blocks in a table's metaindex.
type metaindex struct {
	properties, index, dictionary *handle // nil if there is none

	layout     string // layoutNone at first
	filterName string
	filter     handle
	basho      bool // Basho's LevelDB wrote it
}

func (t *Table) readMetaindex(foot footer) (*metaindex, error) {
	what := blockName{kind: kindMetaindex}
	block, compressed, err := t.blocks.read(foot.metaindex, what)
	if err != nil {
		return nil, err
	}
	m := &metaindex{layout: layoutNone}
	switch {
	case compressed == uncompressed:
	case t.Format.legacyMagic(): // only LevelDB compresses it
		t.Format.Database = databaseLevelDB
		block, err = t.Format.decompressRows(block, compressed, explained(len(block), spareBytes))
	default:
		err = unsupported("compressed by %s", t.Format.nameOf(compressed))
	}
	if err == nil {
		err = eachPair(block, foot.format.columnarMetaindex(), m.add)
	}
	if err != nil {
		return nil, fmt.Errorf("the %v: %w", what, err)
	}
	if m.basho && m.filterName == levelDBName {
		m.filterName = bashoName
	}
	return m, nil
}

// add keeps an entry if it is a filter's, or one of those that have a field.
func (m *metaindex) add(key, value []byte) error {
	layout, name := layoutIn(key)
	if layout == layoutUnknown { // where and how it is stored is unknown, too
		if m.layout == layoutNone {
			m.layout, m.filterName = layout, string(name)
		}
		return nil
	}
	m.basho = m.basho || string(key) == bashoCounters
	var field **handle
	switch string(key) {
	case propertiesName, oldPropertiesName:
		field = &m.properties
	case indexName:
		field = &m.index
	case dictionaryName:
		field = &m.dictionary
	default:
		if layout == layoutNone {
			return nil // without copying the key: thousands of rows can share a long one
		}
	}
	h, n := decodeHandle(value) // more bytes may follow, as in RocksDB and LevelDB
	switch {
	case n == 0:
		return corrupt("no handle for %q: its value does not begin with two varints", key)
	case h == handle{}: // there is no such block (BlockHandle::IsNull)
	case layout == layoutNone:
		*field = &h
	case m.layout == layoutNone || m.layout == layoutUnknown || m.isBefore(layout, string(name)):
		m.layout, m.filterName, m.filter = layout, string(name), h
	}
	return nil
}

// isBefore reports whether another filter is to be taken in place of m's: a known one rather than an unknown one,
// and then the first in RocksDB's order, full, partitioned, block-based.
func (m *metaindex) isBefore(layout, name string) bool {
	known, other := openerOf(m.layout, m.filterName) != nil, openerOf(layout, name) != nil
	return other && !known || other == known && rank(layout) < rank(m.layout)
}

func rank(layout string) int {
	return slices.IndexFunc(layouts, func(l struct{ prefix, layout string }) bool { return l.layout == layout })
}

// layoutIn returns the layout and the name of a filter in an entry's key, or None.
func layoutIn(key []byte) (layout string, name []byte) {
	for _, l := range layouts {
		if name, ok := bytes.CutPrefix(key, []byte(l.prefix)); ok {
			return l.layout, name
		}
	}
	if n := len(key); n <= mostFilterName && !bytes.HasPrefix(key, []byte(ownIndexPrefix)) {
		lower := bytes.ToLower(key)
		if bytes.Contains(lower, []byte("filter")) || bytes.Contains(lower, []byte("bloom")) {
			return layoutUnknown, key
		}
	}
	return layoutNone, nil
}

// eachPair calls add with every key and value of a block, in rows or in columns. They
// are valid only during the call.
func eachPair(block []byte, columnar bool, add func(key, value []byte) error) error {
	if columnar {
		pairs, err := columnarPairs(block)
		if err != nil {
			return err
		}
		for key, value := range pairs {
			if err := add(key, value); err != nil {
				return err
			}
		}
		return nil
	}
	r, err := newRows(block)
	if err != nil {
		return err
	}
	for r.more() {
		value, err := r.next()
		if err != nil {
			return err
		}
		if err := add(r.key, value); err != nil {
			return err
		}
	}
	return nil
}
