package main

import "math"

// peer is a library's filter.
type peer struct {
	name   string
	module string // in which it is
	own    bool   // whether the module is this project
	// asked are the bits per key that are asked for where rates are measured. What the
	// filter takes can be more.
	asked []float64
	// loops is set if the library has no call for many keys.
	loops bool
	new   func(keys int, bitsPerKey float64) (builder, error)
	// predicted is the rate that this project computes for its own filter, and nil for others.
	predicted func(keys int, bitsPerKey float64) float64
	// bitsPerKeyFor computes the bits per key to ask for, or NaN, for this project's filters and
	// those with the same bytes.
	bitsPerKeyFor func(keys int, fpr float64) float64
}

// setting returns the bits per key to ask for in a filter of that many keys, so that it has a rate: as
// computed, or else as measured. It reports false if no setting has the rate.
func (p *peer) setting(measured *peerResults, keys int, fpr float64) (bitsPerKey float64, ok bool) {
	if p.bitsPerKeyFor == nil {
		return measured.askedFor(fpr)
	}
	bitsPerKey = p.bitsPerKeyFor(keys, fpr)
	return bitsPerKey, !math.IsNaN(bitsPerKey) && bitsPerKey <= p.asked[len(p.asked)-1]
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
	// each looks up one key a call. A branch depends on each answer. It returns the number of hits.
	each(keys [][]byte) (hits int)
	// batch looks up all keys: in one call if the library has such a call.
	batch(keys [][]byte, hits []bool)
}

// storedFilter is a filter that stores have in their tables.
type storedFilter interface {
	// eachInStore is each by the store's interface, whose calls have the filter's bytes with every key.
	eachInStore(keys [][]byte) (hits int)
}

// hashFilter is a filter that can be given hashes: XXH64's or, if it has takesXXPH3, XXPH3's.
type hashFilter interface {
	batchHashes(hashes []uint64, hits []bool)
}
