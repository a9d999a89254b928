package main

import "github.com/simdbloom/simdbloom/internal/test/tables"

// peer is a library's filter.
type peer struct {
	name   string
	module string // in which it is
	own    bool   // whether the module is this project
	// usual is the bits per key that are asked for where times are measured: what the
	// library is usually set to.
	usual float64
	// asked are the bits per key that are asked for where rates are measured. What the
	// filter takes can be more.
	asked []float64
	// steps says that no setting between two of those has a rate of its own.
	steps bool
	// heavy filters are left out where others have more than heavyKeys keys: building them takes
	// too much time, or memory.
	heavy bool
	new   func(keys int, bitsPerKey float64) (builder, error)
	// predicted is the rate that this project computes for its own filter, and nil for others.
	predicted func(keys int, bitsPerKey float64) float64
}

// builder makes a filter of keys.
type builder interface {
	add(keys [][]byte) error
	finish() (filter, error)
}

// filter is a filter to measure. Its methods have loops of their own, so that the compiler
// can inline the library's lookup into them.
type filter interface {
	sizeBytes() int
	// each looks up one key at a time through an interface, the database's if the filter
	// is a database's. A branch depends on each answer. It returns the number of hits.
	each(keys [][]byte) (hits int)
	// batch looks up all keys: in one call if the library has such a call.
	batch(keys [][]byte, hits []bool)
}

// hashFilter is a filter that can be given hashes: XXH64's or, if it has takesXXPH3, XXPH3's.
type hashFilter interface {
	batchHashes(hashes []uint64, hits []bool)
}

// container is a filter that is no database's, behind an interface.
type container interface{ contains(key []byte) bool }

// each is filter.each for such filters.
func each(f container, keys [][]byte) (hits int) {
	for _, key := range keys {
		if f.contains(key) {
			hits += tables.Read()
		}
	}
	return hits
}
