package goleveldb

import (
	"github.com/syndtr/goleveldb/leveldb/filter"

	"github.com/simdbloom/simdbloom/policy"
)

// AltFilters returns filters for opt.Options.AltFilters with which goleveldb uses the filters
// of all tables, whoever wrote them: those of every format of this package, at any number of
// bits per key, and LevelDB's own. It writes none of them; that is opt.Options.Filter.
//
// A store that goes back to LevelDB's own filter keeps this line for as long as there are
// tables from before.
func AltFilters() []filter.Filter {
	filters := []filter.Filter{filter.NewBloomFilter(10)}
	for _, p := range policy.Readers() {
		filters = append(filters, Filter(p))
	}
	return filters
}
