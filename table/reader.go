package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// Reader returns package filterblock's reader of the table's filter, for programs that look up many
// times: with a cache of partitions, counters, seeks, and batches. A full filter is read here, and
// stays in memory. A partitioned filter's index is read here, too, and its partitions when they are
// needed.
//
// Cache, OnError and Counters are the caller's, and so is Prefix: without it, it is RocksDB's extractor
// that the table names, or [WithExtractor]'s. The other options are overwritten by the table's properties,
// and by [WithOrder]: partitions in an order that is unknown are all looked up. The file must stay open while
// the reader is in use.
//
// The error wraps [ErrUnsupported] if there is no such reader: for layouts other than full and
// partitioned, filters of unknown kind ([simdbloom.ErrUnknown], too), or of nothing but prefixes by an extractor that
// neither the options nor this package have. [Table.Answers] answers for these, too.
func (t *Table) Reader(o filterblock.ReadOptions) (*filterblock.Reader, error) {
	p := t.policy()
	switch {
	case t.Layout != layoutFull && t.Layout != layoutPartitioned:
		return nil, unsupported("a table without a full or partitioned filter")
	case p == nil:
		return nil, unknown{unsupported("%s", unknownFilter(t.FilterName))}
	}
	entries := t.entries()
	o.WholeKeys, o.PrefixName = entries.wholeKeys, t.Properties.PrefixExtractor
	switch {
	case entries.splits || !t.Properties.Prefixes:
		o.Prefix = nil
	case o.Prefix == nil && entries.prefixes != nil:
		o.Prefix, o.PrefixName = entries.prefixes, entries.prefixes.Name()
	}
	if !entries.wholeKeys && o.Prefix == nil {
		return nil, unsupported("%s", entries.whyNoPrefix)
	}
	if t.Layout == layoutPartitioned {
		return t.partitionedReader(p, o)
	}
	block, err := t.ReadFilter(0)
	if err != nil {
		return nil, err
	}
	return filterblock.Open(p, block.Data, o)
}

func (t *Table) partitionedReader(p *policy.Policy, o filterblock.ReadOptions) (*filterblock.Reader, error) {
	o.Compare, o.Unordered = t.filters.compare, t.filters.compare == nil
	if t.filters.ofBytes && !t.filters.descending {
		o.Compare = nil // the same, and faster
	}
	block, _, err := t.readIndexBlock(t.filter, blockName{kind: kindFilterIndex}, spareBytes)
	if err != nil {
		return nil, err
	}
	o.Index = t.indexFormat()
	r, err := filterblock.OpenPartitioned(p, block, t.loadPartition, o)
	if err != nil && !errors.Is(err, simdbloom.ErrCorrupt) { // keys that are too long for memory
		err = fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return r, err
}

// loadPartition reads the partition that a handle of the index is of.
func (t *Table) loadPartition(h filterblock.Handle) ([]byte, error) {
	i, found := slices.BinarySearchFunc(t.filters.rows, h.Offset, func(row indexRow, offset uint64) int {
		return cmp.Compare(row.handle.offset, offset)
	})
	if !found {
		return nil, corrupt("the index of the filter's partitions has changed")
	}
	f, err := t.ReadFilter(i)
	return f.Data, err
}

// policy returns one that reads the table's filters, or nil if their kind is unknown. All of RocksDB's
// do; the one that builds such filters looks up batches of keys faster.
func (t *Table) policy() *policy.Policy {
	p, _ := policy.ForName(t.FilterName)
	if isRocksDBs(t.FilterName, p) && (t.Format.Database != databaseRocksDB || t.Format.Version < 5) {
		return policy.Legacy(10)
	}
	return p
}
