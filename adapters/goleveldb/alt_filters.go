package goleveldb

import (
	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom/policy"
)

// AltFilters returns filters for opt.Options.AltFilters. With them goleveldb uses the
// filters of all existing tables: those of every format of this package, with any bits per
// key, and goleveldb's own. They are only read: opt.Options.Filter builds those of new tables.
//
// A store that goes back to goleveldb's own filter needs AltFilters as long as it has tables
// with filters of this package.
func AltFilters() []filter.Filter {
	filters := []filter.Filter{BuiltIn(10)}
	for _, p := range policy.Readers() {
		filters = append(filters, Filter(p))
	}
	return filters
}
