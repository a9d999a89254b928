package table

import (
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
)

// filterSet are a table's filters, whatever their layout.
type filterSet interface {
	// find returns the range of filters, first up to but not including end, one of which a key of
	// the table is in.
	find(key []byte) (first, end int)

	// findPrefix returns the range of filters that keys may be in that begin with the prefix.
	findPrefix(prefix []byte) (first, end int)

	// len returns the number of filters, ordered whether their order is known, and foreign whether the index has other
	// keys than those of a LevelDB store.
	len() int
	ordered() bool
	foreign() bool

	// whyNone is the reason why a key is in no filter.
	whyNone() string

	// open reads a filter.
	open(i int) (keyFilter, error)
}

// opener returns the opener of the table's filters, or nil and the reason.
func (t *Table) opener() (open opener, why string) {
	if t.Layout == layoutNone {
		return nil, "the table has no filter"
	}
	if open = openerOf(t.Layout, t.FilterName); open == nil {
		return nil, unknownFilter(t.FilterName)
	}
	return open, ""
}

func (t *Table) filterSet(open opener) (filterSet, error) {
	if t.Layout != layoutBlockBased {
		return partitions{t, open}, nil
	}
	return openBlockSet(t, open)
}

// partitions are a table's only filter, or its partitions.
type partitions struct {
	table  *Table
	opener opener
}

func (p partitions) find(key []byte) (first, end int) { return p.table.FindFilters(key) }

func (p partitions) findPrefix(prefix []byte) (first, end int) {
	n := p.table.NumFilters()
	if p.table.Layout != layoutPartitioned || n == 0 {
		return 0, n
	}
	return orLast(p.table.filters.findPrefix(prefix))
}

func (p partitions) len() int { return p.table.NumFilters() }

func (p partitions) ordered() bool { return p.table.filters.compare != nil }

func (p partitions) foreign() bool { return false }

func (p partitions) whyNone() string { return "the filter has no keys" }

func (p partitions) open(i int) (keyFilter, error) {
	filter, err := p.table.ReadFilter(i)
	if err != nil {
		return keyFilter{}, err
	}
	return p.opener(filter.Data)
}

// blockSet are the filters of a filter block. Behind the last one is another one, which may
// contain every key: it is for data blocks that have no filter.
type blockSet struct {
	stored *blockFilters
	block  *leveldb.Block
	opener opener
}

func openBlockSet(t *Table, opener opener) (*blockSet, error) {
	stored, err := t.readBlockFilters()
	if err != nil {
		return nil, err
	}
	block, err := leveldb.OpenBlock(stored.data, keyhash.LevelDB32) // for where filters are
	if err != nil {
		return nil, err
	}
	return &blockSet{stored, block, opener}, nil
}

func (s *blockSet) find(key []byte) (first, end int) { return s.filtersOf(s.stored.index.find(key)) }

func (s *blockSet) findPrefix(prefix []byte) (first, end int) {
	return s.filtersOf(s.stored.index.findPrefix(prefix))
}

// filtersOf returns the filters of a range of data blocks, whose offsets ascend.
func (s *blockSet) filtersOf(first, end int) (int, int) {
	if first == end {
		return 0, 0
	}
	offsets := s.stored.offsets[first:end]
	return filterAt(s.block, offsets[0]), filterAt(s.block, offsets[len(offsets)-1]) + 1
}

// filterAt returns the number of the filter of the data block at an offset: the number of filters if it has none.
func filterAt(block *leveldb.Block, offset uint64) int {
	return int(min(offset>>block.BaseLg(), uint64(block.Filters())))
}

func (s *blockSet) len() int { return s.block.Filters() }

func (s *blockSet) ordered() bool { return s.stored.index.compare != nil }

func (s *blockSet) foreign() bool { return s.stored.index.foreign }

func (s *blockSet) whyNone() string { return "it is above all keys of the table" }

func (s *blockSet) open(i int) (keyFilter, error) {
	if i == s.block.Filters() {
		return noFilter, nil
	}
	return s.opener(s.block.Filter(i)) // without bytes, of whatever kind, it has no keys
}

// noFilter may contain every key: its bytes are reserved.
var noFilter = func() keyFilter {
	f, err := bloom.Open(make([]byte, 6), keyhash.XX64)
	if err != nil {
		panic(err)
	}
	return keyFilter{filter: f}
}()

// whyAlways returns why the filter may contain every key, or nothing if it may not.
func whyAlways(f keyFilter) string {
	switch {
	case f == noFilter:
		return "its data block has no filter"
	case f.alwaysTrue():
		return "the filter is always true (reserved, or given up while it was built)"
	}
	return ""
}
