package table

import "iter"

// Filter is a table's filter, or one of its partitions.
type Filter struct {
	// Data is the filter, as RocksDB's FilterBitsBuilder::Finish or Pebble's
	// FilterWriter.Finish returned it. It belongs to the caller.
	Data []byte

	// Last is a user key, without a timestamp: in the table's order no key of the partition is above it, and
	// none of the next partition below. It is nil for a filter that is not partitioned.
	Last []byte
}

// NumFilters returns the number of filters that Filters yields: 1 for full, the number
// of partitions for partitioned, and 0 otherwise.
func (t *Table) NumFilters() int { return t.filters.len() }

// Filters returns an iterator that reads the table's filters one by one, in the order of
// their keys. It ends after an error. [Table.OpenFilter] opens them.
func (t *Table) Filters() iter.Seq2[Filter, error] {
	return func(yield func(Filter, error) bool) {
		for i := range t.NumFilters() {
			if filter, err := t.ReadFilter(i); !yield(filter, err) || err != nil {
				return
			}
		}
	}
}

// ReadFilter reads one of the filters that Filters yields, from 0 up to NumFilters. It panics
// if there is no such filter.
func (t *Table) ReadFilter(i int) (Filter, error) {
	data, err := t.blocks.readPlain(t.filters.rows[i].handle, t.filterName(i))
	f := Filter{Data: data}
	if t.Layout == layoutPartitioned {
		f.Last = t.filters.key(i)
	}
	return f, err
}

// filterName is the name of a filter's block.
func (t *Table) filterName(i int) blockName {
	if t.Layout == layoutPartitioned {
		return blockName{kindFilterPartition, i, t.NumFilters()}
	}
	return blockName{kind: kindFullFilter}
}

// FindFilters returns the range of filters, first up to but not including end, that a user key
// of the table is in: one of them. That is all filters if they are partitioned in an order that
// is unknown: see [WithOrder]. It is empty if the table has no filters.
//
// A prefix may be in several partitions: find them by the key, and look up the prefix. It costs
// a binary search.
func (t *Table) FindFilters(key []byte) (first, end int) {
	n := t.NumFilters()
	if t.Layout != layoutPartitioned || n == 0 {
		return 0, n
	}
	return orLast(t.filters.find(key))
}

// orLast returns the last partition for a key that is above all: RocksDB's reader reads it.
func orLast(first, end int) (int, int) {
	if first == end {
		first--
	}
	return first, end
}
