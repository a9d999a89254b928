package table

import (
	"encoding/binary"
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/policy"
)

// keyFilter is an open filter of a table.
type keyFilter struct {
	filter *simdbloom.Filter

	// signed is the same bytes with the key hash keyhash.LevelDB32Signed, if the filter's name does
	// not say which of LevelDB's two hashes it was built with. Otherwise it is nil. Keys in ASCII have
	// the same hash by both.
	signed *simdbloom.Filter
}

// contains reports whether the filter may have the key, by either hash.
func (f keyFilter) contains(key []byte) bool {
	return f.filter.Contains(key) || f.signed != nil && f.signed.Contains(key)
}

// containsKeys sets hits[i] to contains(keys[i]), in less time than one by one.
func (f keyFilter) containsKeys(keys [][]byte, hits []bool) {
	f.filter.ContainsKeys(keys, hits)
	if f.signed == nil {
		return
	}
	for i, key := range keys {
		hits[i] = hits[i] || f.signed.Contains(key)
	}
}

// alwaysTrue reports whether the filter may contain every key, because its bytes are reserved for other
// formats, or because its builder gave up.
func (f keyFilter) alwaysTrue() bool {
	is := f.filter
	return is.Format() != simdbloom.Linear && is.NumProbes() == 0 && is.Contains(nil)
}

// The names of filters in LevelDB and its kin.
const (
	levelDBName = "leveldb.BuiltinBloomFilter2" // LevelDB since 1.18
	// oldLevelDBName is the name in LevelDB before 1.18, and, with another hash, in goleveldb.
	oldLevelDBName = "leveldb.BuiltinBloomFilter"
	// bashoName is how FilterName tells the filters of Basho's LevelDB, which has LevelDB's name for a
	// format of its own (util/bloom2.cc).
	bashoName = levelDBName + " (Basho)"
)

// rocksDBReader is the name of the policy that reads all filters of RocksDB's full and partitioned layouts.
const rocksDBReader = "simdbloom.FastLocal.XXPH3"

// OpenFilter opens a filter that [Table.Filters] yields, or one of a filter block of layout block-based, by the table's
// Layout and FilterName. Where a name stands for several formats, as RocksDB's does, the filter's trailer tells which.
// It returns the bytes as two filters, of which either may have a key, if the name does not say by which of LevelDB's
// two hashes they were built (leveldb.BuiltinBloomFilter), and otherwise as one.
//
// The error wraps [ErrUnsupported] and [simdbloom.ErrUnknown] if the name is unknown, and [simdbloom.ErrCorrupt] if the
// bytes are no filter of that name. The filters keep the bytes. It costs less than a microsecond, but for linear
// filters, which are checked layer by layer.
func (t *Table) OpenFilter(data []byte) ([]*simdbloom.Filter, error) {
	open := openerOf(t.Layout, t.FilterName)
	if open == nil {
		return nil, unknown{unsupported("%s", unknownFilter(t.FilterName))}
	}
	switch f, err := open(data); {
	case err != nil:
		return nil, err
	case f.signed != nil:
		return []*simdbloom.Filter{f.filter, f.signed}, nil
	default:
		return []*simdbloom.Filter{f.filter}, nil
	}
}

func unknownFilter(name string) string { return fmt.Sprintf("a filter of unknown kind, %q", name) }

// opener opens a filter. Its error wraps simdbloom.ErrCorrupt.
type opener func(data []byte) (keyFilter, error)

// openerOf returns nil if the name is unknown.
func openerOf(layout, name string) opener {
	if layout == layoutUnknown {
		return nil
	}
	p, _ := policy.ForName(name)
	if layout == layoutBlockBased {
		switch {
		case name == oldLevelDBName:
			return openEither
		case isRocksDBs(name, p):
			return levelDBOpener(keyhash.LevelDB32Signed)
		}
	}
	if p == nil {
		return nil
	}
	return func(data []byte) (keyFilter, error) { // in a filter block, too, as adapters/goleveldb records it
		if isRocksDBs(name, p) && hasNoBody(data) {
			data = nil
		}
		f, err := p.Open(data)
		return keyFilter{filter: f}, err
	}
}

// isRocksDBs reports whether a name, whose reader is p, is one that RocksDB records, or Pebble, or TiKV.
func isRocksDBs(name string, p *policy.Policy) bool {
	return p != nil && p.Name() == rocksDBReader && name != rocksDBReader
}

// hasNoBody reports whether bytes are the trailer of a filter of no keys, of the format legacy or FastLocal, and
// nothing else. RocksDB writes the latter for a partition without prefixes, with optimize_filters_for_memory, and reads
// no keys.
func hasNoBody(data []byte) bool {
	return len(data) == 5 && (binary.LittleEndian.Uint32(data[1:]) == 0 || data[0] == 0xff && data[1] == 0 && data[3] == 0 && data[4] == 0)
}

func levelDBOpener(hash keyhash.Hash) opener {
	return func(data []byte) (keyFilter, error) {
		f, err := leveldb.Open(data, hash)
		return keyFilter{filter: f}, err
	}
}

// openEither opens a filter with both of LevelDB's hashes.
func openEither(data []byte) (f keyFilter, err error) {
	if f.filter, err = leveldb.Open(data, keyhash.LevelDB32); err == nil {
		f.signed, err = leveldb.Open(data, keyhash.LevelDB32Signed)
	}
	return f, err
}
