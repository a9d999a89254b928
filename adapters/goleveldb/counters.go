package goleveldb

import (
	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom/filterblock"
)

// Counted returns f as a filter that counts in c the lookups in its filters and their
// answers. f may be any filter, even goleveldb's own: measure that before you change
// anything. Its name and generators are f's. Several filters may share one Counters. The filters of old
// tables should share it: [AltFilters](counted) counts them, too. Counting adds on the order of 3
// nanoseconds to a lookup, and allocates nothing. If c is nil, nothing is counted. Counted panics if f
// is nil.
//
// goleveldb queries filters for whole keys only, so the counts of prefixes and seeks stay 0. A filter
// cannot tell true positives from false ones. Code that reads the store can: it calls
// [filterblock.Counters.Found], but not for keys that were found in memory, before a
// table was written of them.
func Counted(f filter.Filter, c *filterblock.Counters) filter.Filter {
	if f == nil {
		panic("goleveldb: Counted: the filter is nil")
	}
	return &counted{f, c}
}

type counted struct {
	filter.Filter
	counters *filterblock.Counters
}

func (f *counted) Contains(data, key []byte) bool {
	may := f.Filter.Contains(data, key)
	f.counters.CountKey(key, may)
	return may
}
