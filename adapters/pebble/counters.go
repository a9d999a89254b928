package pebble

import (
	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/filterblock"
)

// Counted returns p as a policy that counts in c the lookups in its filters and their
// answers. p may be any policy, even Pebble's own: measure that before you change anything.
// Several policies may share one Counters. Counting adds on the order of 3 nanoseconds to a
// lookup, and allocates nothing. If c is nil, nothing is counted. Counted panics if p is nil.
//
// Where Comparer.Split makes prefixes of keys, Pebble's filters have prefixes, and are queried
// for prefixes only. Those count as keys: a policy cannot tell them apart.
func Counted(p pebble.FilterPolicy, c *Counters) pebble.FilterPolicy {
	if p == nil {
		panic("pebble: Counted: the policy is nil")
	}
	return &counted{p, c}
}

type counted struct {
	pebble.FilterPolicy
	counters *Counters
}

func (p *counted) MayContain(ftype pebble.FilterType, filter, key []byte) bool {
	may := p.FilterPolicy.MayContain(ftype, filter, key)
	p.counters.CountKey(may)
	return may
}

// Counters are [filterblock.Counters], which count lookups in filters and their answers: see
// [Counted]. The zero Counters are ready to use. Any number of goroutines may count and read
// at once. Counters take 8 KiB, and must not be copied.
//
// Pebble's own counters, Metrics().Filter, do not tell true positives from false ones, since
// a filter cannot. Code that reads the store can: it calls Found, but not for keys that were
// found without a filter, in a memtable or by Pebble's DB.Get in L6.
//
// Counters are an expvar.Var, as the example of [Counted] shows:
//
//	expvar.Publish("filters", &counters)
type Counters = filterblock.Counters

// Counts are [filterblock.Counts], the numbers that [Counters] counted, with the names in RocksDB's
// statistics. The counters of prefixes stay 0 here.
type Counts = filterblock.Counts
