package pebble

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/policy"
)

// Filters returns a map for Options.Filters. With it Pebble uses the filters of all existing
// tables: of every format of this package, Pebble's own, and Speedb's.
//
//	opts.Filters = simdbloom.Filters()
//
// Pebble prefers Options.Filters to the levels' policies. So pass Filters the levels'
// policies that are [Counted] or [CountedPrefixes]: a given policy replaces the one of its name. If one is counted,
// lookups in all other filters of the map are counted, too, in the Counters of the first: so
// the counts include tables with filters of other formats.
//
// A store that goes back to Pebble's own policy needs this line as long as it has tables with
// filters of this package. Filters panics if a given policy is nil.
func Filters(given ...pebble.FilterPolicy) map[string]pebble.FilterPolicy {
	filters := make(map[string]pebble.FilterPolicy)
	var first *counted
	for i, p := range given {
		if p == nil {
			panic(fmt.Sprintf("pebble: Filters: policy %d of %d is nil", i+1, len(given)))
		}
		if c, ok := p.(*counted); ok && first == nil {
			first = c
		}
		filters[p.Name()] = p
	}
	add := func(p pebble.FilterPolicy) {
		if filters[p.Name()] != nil {
			return
		}
		if first != nil {
			p = newCounted("Filters", p, *first)
		}
		filters[p.Name()] = p
	}
	add(Legacy(10))
	for _, p := range policy.Readers() {
		add(FilterPolicy(p))
		if p.Name() == speedbs {
			add(ForSpeedb(p, nil))
		}
	}
	return filters
}
