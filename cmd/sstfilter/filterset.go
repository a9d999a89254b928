package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/table"
)

// filterSet are a table's filters, whatever their layout.
type filterSet interface {
	// find returns the range of filters, first up to but not including end, one of which a key of
	// the table is in. The end depends on the first only.
	find(key []byte) (first, end int)

	// whyNone says why a key is in no filter.
	whyNone() string

	// open opens a filter.
	open(i int) (keyFilter, error)
}

// filterSetOf returns the table's filters, or, if there are none that can be read, nil and why.
func filterSetOf(t *table.Table) (set filterSet, why string, err error) {
	if t.Layout == table.None {
		return nil, "the table has no filter", nil
	}
	if t.Layout == table.BlockBased {
		open := blockOpenerOf(t.FilterName)
		if open == nil {
			return nil, whyUnknown(t.FilterName), nil
		}
		set, err := openBlockSet(t, open)
		if err != nil {
			return nil, "", err
		}
		return set, "", nil
	}
	open := openerOf(t.FilterName)
	if open == nil {
		return nil, whyUnknown(t.FilterName), nil
	}
	return partitions{t, open}, "", nil
}

func whyUnknown(name string) string {
	return fmt.Sprintf("a filter of unknown kind, %s", printable(name))
}

// partitions are a table's only filter, or its partitions.
type partitions struct {
	table  *table.Table
	opener opener
}

func (p partitions) find(key []byte) (first, end int) { return p.table.FindFilters(key) }

func (p partitions) whyNone() string { return "the filter has no keys" }

func (p partitions) open(i int) (keyFilter, error) {
	filter, err := p.table.ReadFilter(i)
	if err != nil {
		return nil, err
	}
	return p.opener(filter.Data)
}

// blockSet are the filters of a filter block. Behind the last one is another one, which may
// contain every key: it is for data blocks that have no filter.
type blockSet struct {
	stored *table.BlockFilters
	block  *leveldb.Block
	opener opener
}

func openBlockSet(t *table.Table, opener opener) (*blockSet, error) {
	stored, err := t.ReadBlockFilters()
	if err != nil {
		return nil, err
	}
	block, err := leveldb.OpenBlock(stored.Data)
	if err != nil {
		return nil, err
	}
	return &blockSet{stored, block, opener}, nil
}

func (s *blockSet) find(key []byte) (first, end int) {
	offsets := s.stored.Offsets(key)
	if len(offsets) == 0 {
		return 0, 0
	}
	// Offsets ascend. There is one, unless the table's comparator is unknown.
	last := len(offsets) - 1
	return s.filterAt(offsets[0]), s.filterAt(offsets[last]) + 1
}

func (s *blockSet) filterAt(offset uint64) int {
	return int(min(offset>>s.block.BaseLg(), uint64(s.block.Filters())))
}

func (s *blockSet) whyNone() string { return "it is above all keys of the table" }

func (s *blockSet) open(i int) (keyFilter, error) {
	if i == s.block.Filters() {
		return unread{"its data block has no filter"}, nil
	}
	return s.opener(s.block.Filter(i)) // without bytes, of whatever kind, it has no keys
}
