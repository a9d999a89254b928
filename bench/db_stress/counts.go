package main

import (
	"sync/atomic"

	"github.com/simdbloom/simdbloom/filterblock"
)

// kind is a kind of counted event.
type kind int

const (
	gets       kind = iota // operations of a thread
	multiGets              // several keys by one iterator
	prefixes               // iterations over a prefix
	iterations             // others
	snapshots              // reads of one
	puts
	deletes
	rangeDeletes
	compactions // of ranges, by hand
	numOperations

	injected    = iota - 1 // read errors
	returned               // operations that returned an injected error
	verified               // keys, each in all ways
	filtersRead            // of tables, outside of Pebble
	happened               // operations that were pending when the store was killed
	notHappened            // likewise
	reported               // lookups that returned a corrupt block's error
	numKinds
)

// tally is counted by any number of goroutines at once.
type tally [numKinds]atomic.Uint64

// counts are the events of one run or of several.
type counts struct {
	N       [numKinds]uint64
	Filters map[string]filterblock.Counts // lookups, by the name that tables record
	Tables  map[string]int                // that verification found, likewise
}

// operations is the number of all operations.
func (c *counts) operations() (sum uint64) {
	for _, n := range c.N[:numOperations] {
		sum += n
	}
	return sum
}

// add adds the counts of another run.
func (c *counts) add(run *counts) {
	for i, n := range run.N {
		c.N[i] += n
	}
	if c.Filters == nil {
		c.Filters, c.Tables = make(map[string]filterblock.Counts), make(map[string]int)
	}
	for name, filter := range run.Filters {
		sum := c.Filters[name]
		sum.Useful += filter.Useful
		sum.Positives += filter.Positives
		c.Filters[name] = sum
	}
	for name, n := range run.Tables {
		c.Tables[name] += n
	}
}
