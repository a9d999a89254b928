package table

import (
	"bytes"
	"fmt"
)

// A metaindex's entry of a filter is one of these prefixes and the filter's name
// (BlockBasedTable in table/block_based/block_based_table_reader.cc).
const (
	fullFilter        = "fullfilter."
	partitionedFilter = "partitionedfilter."
	blockBasedFilter  = "filter."

	propertiesName    = "rocksdb.properties"
	oldPropertiesName = "rocksdb.stats" // until RocksDB 2.7
	bashoCounters     = "stats.sst1"    // only Basho's LevelDB has them
)

var layouts = []struct {
	prefix string
	layout Layout
}{
	{fullFilter, Full},
	{partitionedFilter, Partitioned},
	{blockBasedFilter, BlockBased},
}

// metaindex is what a table's metaindex says about its filter and its properties.
type metaindex struct {
	properties *handle
	layout     Layout
	filterName string
	filter     handle
	basho      bool // Basho's LevelDB wrote it
}

func (t *Table) readMetaindex(foot footer) (*metaindex, error) {
	what := blockName{kind: Metaindex}
	block, compressed, err := t.blocks.read(foot.metaindex, what)
	if err != nil {
		return nil, err
	}
	m := new(metaindex)
	switch {
	case compressed == uncompressed:
	case t.Format.legacyMagic(): // only LevelDB compresses it
		t.Format.Database = LevelDB
		block, err = t.Format.decompressRows(block, compressed, explained(len(block), spareBytes))
	default:
		err = unsupported("compressed by %v", compressed)
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

// add keeps an entry if it is a filter's or that of the properties.
func (m *metaindex) add(key, value []byte) error {
	layout, name := layoutIn(key)
	m.basho = m.basho || string(key) == bashoCounters
	if layout == None && string(key) != propertiesName && string(key) != oldPropertiesName {
		return nil // without copying the key: thousands of rows can share a long one
	}
	h, n := decodeHandle(value)
	if n == 0 || n != len(value) {
		return corrupt("no handle for %q: its value is not two varints", key)
	}
	switch {
	case layout == None:
		m.properties = &h
	case m.layout != None:
		return corrupt("two filters, %q and %q", m.filterName, name)
	default:
		m.layout, m.filterName, m.filter = layout, string(name), h
	}
	return nil
}

// layoutIn returns the layout and the name of a filter in an entry's key, or None.
func layoutIn(key []byte) (layout Layout, name []byte) {
	for _, l := range layouts {
		if name, ok := bytes.CutPrefix(key, []byte(l.prefix)); ok {
			return l.layout, name
		}
	}
	return None, nil
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
