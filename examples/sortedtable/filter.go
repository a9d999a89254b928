package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// filter is queried before a table's data blocks are read. A *filterblock.Reader is one.
type filter interface {
	MayContain(key []byte) bool
	MayContainSeek(key []byte) bool
	MayContainKeys(keys [][]byte, hits []bool)
}

// openFilter opens the filter of a table with the given properties. o has the program's own settings: its
// extractor, a cache, counters.
func openFilter(p properties, index []byte, load func(filterblock.Handle) ([]byte, error), o filterblock.ReadOptions) (filter, error) {
	o.WholeKeys, o.PrefixName = p.wholeKeys, p.prefix
	if p.prefix == "" {
		o.Prefix = nil // the filter has no prefixes
	}
	reader, err := policy.ForName(p.policy)
	if err != nil || !p.wholeKeys && p.prefix == "" {
		return noFilter{}, nil // of a newer program, say: the table is read without it
	}
	f, err := filterblock.OpenPartitioned(reader, index, load, o)
	if err != nil {
		return nil, fmt.Errorf("opening the filter: %w", err)
	}
	return f, nil
}

// noFilter may contain everything.
type noFilter struct{}

func (noFilter) MayContain([]byte) bool     { return true }
func (noFilter) MayContainSeek([]byte) bool { return true }

func (noFilter) MayContainKeys(keys [][]byte, hits []bool) {
	for i := range keys {
		hits[i] = true
	}
}
