package main

import (
	"iter"

	"github.com/simdbloom/simdbloom/cpu"
)

// contestant is a filter to measure.
type contestant interface {
	name() string
	// build fills the filter, in memory of the filling's bytes; its capacity is
	// spareBytes larger. It returns the bytes that were taken, and k.
	build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes, probes int, err error)
	// rows are the ways to ask it, before it is built or after.
	rows() []*row
}

// row is a way to ask a contestant.
type row struct {
	name  string
	level cpu.Level // of simdbloom's kernels meanwhile
	ask   func(q *queries)
	// hits counts the answers that ask left in q. Rows without answers have none.
	hits func(q *queries) int
}

// asking is a row that counts hits itself, for filters without levels.
func asking(name string, pass func(hashes []uint64) int) []*row {
	return []*row{{name, cpu.Current(), func(q *queries) { q.found = pass(q.hashes) }, (*queries).count}}
}

// verifier is a contestant whose rows can be compared key by key.
type verifier interface {
	verify(q *queries) error
}

// reference names the row that all are compared with.
const reference = "parquet"

// contestants returns all of them, none built yet.
func contestants(s *settings) []*entrant {
	const slow = 64 << 20
	return []*entrant{
		{contestant: &fastLocal{levels: s.levels.values}},
		{contestant: new(parquet)},
		{contestant: new(pebble), most: slow},
		{contestant: new(bitsAndBlooms), most: slow},
		{contestant: new(blobloom)},
	}
}
