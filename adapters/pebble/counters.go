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
// Surround lookups with BeginLookup and EndLookup. [GetMany] and iterators query the filters of all tables,
// also of those with older versions of the key, or tombstones. That is no false positive, and neither filters nor Found
// know it:
//
//	counters.BeginLookup(key)
//	value, closer, err := db.Get(key)
//	counters.EndLookup(key, err == nil)
//
// Where Comparer.Split makes prefixes of keys, take [CountedPrefixes]: Counted counts prefixes as keys.
func Counted(p pebble.FilterPolicy, c *Counters) pebble.FilterPolicy {
	return newCounted("Counted", p, counted{counters: c})
}

// CountedPrefixes is [Counted] for a store whose Comparer.Split makes prefixes of keys. There, filters have the
// prefixes, and Pebble does not tell a policy whether a Get or an iterator's SeekPrefixGE queries it. Surround
// Gets with BeginLookup and EndLookup:
//
//	prefix := key[:comparer.Split(key)]
//	counters.BeginLookup(prefix)
//	value, closer, err := db.Get(key)
//	counters.EndLookup(prefix, err == nil)
//
// Queries for that prefix then count as a point lookup's, and all others as seeks'. After a SeekPrefixGE that finds a
// key, call FoundSeek. The rate of point lookups is Read().FPR(), and that of seeks Read().SeekFPR(). Counting
// adds on the order of 30 nanoseconds to a query.
func CountedPrefixes(p pebble.FilterPolicy, c *Counters) pebble.FilterPolicy {
	return newCounted("CountedPrefixes", p, counted{counters: c, prefixes: true})
}

func newCounted(function string, p pebble.FilterPolicy, c counted) pebble.FilterPolicy {
	if p == nil {
		panic("pebble: " + function + ": the policy is nil")
	}
	c.FilterPolicy = p
	return &c
}

type counted struct {
	pebble.FilterPolicy
	counters *Counters
	prefixes bool // the filters have prefixes only
}

func (p *counted) MayContain(ftype pebble.FilterType, filter, key []byte) bool {
	may := p.FilterPolicy.MayContain(ftype, filter, key)
	if p.prefixes {
		p.counters.CountPrefix(key, may)
	} else {
		p.counters.CountKey(key, may)
	}
	return may
}

// Counters are [filterblock.Counters], which count lookups in filters and their answers: see [Counted]. Those of
// prefixes and seeks are counted by [CountedPrefixes] only. The zero Counters are ready to use. Any number of
// goroutines may count and read at once. Counters take 8 KiB, and must not be copied.
//
// Pebble's own counters, Metrics().Filter, do not tell true positives from false ones, since
// a filter cannot. Code that reads the store can: it calls Found, but not for keys that were
// found without a filter, in a memtable or by Pebble's DB.Get in L6.
//
// Counters are an expvar.Var, as the example of [Counted] shows:
//
//	expvar.Publish("filters", &counters)
type Counters = filterblock.Counters
