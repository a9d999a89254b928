package goleveldb

import (
	"fmt"
	"slices"

	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// AltFilters returns filters for opt.Options.AltFilters. With them goleveldb uses the
// filters of all existing tables: of every format of this package, with any bits per
// key, and goleveldb's own. They are only read: opt.Options.Filter builds the filters of new tables.
//
// A given filter replaces the one of its name. If one is [Counted], lookups in all other
// filters are counted, too, in the counters of the first: pass AltFilters the filter of
// opt.Options.Filter, and the counts include tables with filters of other formats.
//
// A store that goes back to goleveldb's own filter needs AltFilters as long as it has tables
// with filters of this package. AltFilters panics if a given filter is nil.
func AltFilters(given ...filter.Filter) []filter.Filter {
	var counters *filterblock.Counters
	filters, names := slices.Clone(given), make(map[string]bool)
	for i, f := range given {
		if f == nil {
			panic(fmt.Sprintf("goleveldb: AltFilters: filter %d of %d is nil", i+1, len(given)))
		}
		if c, ok := f.(*counted); ok && counters == nil {
			counters = c.counters
		}
		names[f.Name()] = true
	}
	add := func(f filter.Filter) {
		if names[f.Name()] {
			return
		}
		if counters != nil {
			f = Counted(f, counters)
		}
		filters = append(filters, f)
	}
	add(BuiltIn(10))
	for _, p := range policy.Readers() {
		add(Filter(p))
	}
	return filters
}
