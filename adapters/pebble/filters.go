package pebble

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/simdbloom/simdbloom/policy"
)

// Filters returns a map for pebble.Options.Filters with which Pebble uses the filters of
// all tables, whoever wrote them: those of every format of this package, and Pebble's own.
// Options.Filters goes before the levels' policies, so give it those of them that have
// counters; a given policy takes the place of the one of its name.
//
//	opts.Filters = simdbloom.Filters()
//
// A store that goes back to Pebble's own policy keeps this line for as long as there are
// tables from before.
func Filters(given ...pebble.FilterPolicy) map[string]pebble.FilterPolicy {
	filters := make(map[string]pebble.FilterPolicy)
	add := func(p pebble.FilterPolicy) { filters[p.Name()] = p }
	add(bloom.FilterPolicy(10))
	for _, p := range policy.Readers() {
		add(FilterPolicy(p))
	}
	for _, p := range given {
		add(p)
	}
	return filters
}
