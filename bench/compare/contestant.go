package main

import (
	"fmt"
	"iter"
	"slices"

	"github.com/simdbloom/simdbloom/cpu"
)

// contestant is a filter to measure.
type contestant interface {
	name() string
	// build fills the filter, in memory of the filling's bytes; its capacity is
	// spareBytes larger. It returns the filter's size.
	build(memory []byte, fill filling, hashes iter.Seq[[]uint64]) (bytes int, has chosen, err error)
	// rows returns the ways to query it, before it is built or after.
	rows() []*row
}

// chosen is what a filter has for its bits per key: a number of probes or, if it is a Ribbon
// filter, of columns; or fingerprints of some bits.
type chosen struct {
	Probes      int `json:"num_probes,omitempty"`
	Fingerprint int `json:"fingerprint_bits,omitempty"`
}

func probes(n int) chosen { return chosen{Probes: n} }

// String is the number of probes, or "r=" and the bits of a fingerprint.
func (c chosen) String() string {
	if c.Fingerprint > 0 {
		return fmt.Sprint("r=", c.Fingerprint)
	}
	return fmt.Sprint(c.Probes)
}

// row is a way to query a contestant, or to build it.
type row struct {
	name  string
	level cpu.Level // of simdbloom's kernels meanwhile
	own   bool      // whether the filter is simdbloom's
	build *building // nil if it is queried
	grow  *growth   // nil unless keys are added one by one
	keys  bool      // whether its queries are keys, not hashes
	query func(q *queries)
	// hits counts the answers that query left in q. It is nil for rows without answers.
	hits func(q *queries) int
}

// answers reports whether the row has answers. The floors have none.
func (r *row) answers() bool { return r.hits != nil }

// countingRows returns a row that counts hits itself, for filters without levels.
func countingRows(name string, pass func(hashes []uint64) int) []*row {
	return []*row{{
		name: name, level: cpu.Current(),
		query: func(q *queries) { q.found = pass(q.hashes) }, hits: (*queries).count,
	}}
}

// verifier is a contestant whose rows can be compared key by key.
type verifier interface {
	verify(q *queries) error
}

// reference names the contestant that all are compared with.
const reference = "parquet"

// contestants returns all of them, none built yet.
func (s *settings) contestants(fill filling) []*entrant {
	if s.single {
		return databases(s, fill)
	}
	if s.grow {
		return growers(s, fill)
	}
	own := []*entrant{{contestant: newFastLocal(s), passes: 1}, pairedEntrant(s, fill), linearEntrant(s, fill), ribbonEntrant(newRibbon(s), fill)}
	own = append(own, narrowEntrants(s, fill)...)
	others := []*entrant{
		{contestant: &parquet{pages: s.pages}, passes: 1},
		notInLarge(newPebble(), fill, "time"),
		notInLarge(newPebbleLegacy(s), fill, "time"),
		notInLarge(new(bitsAndBlooms), fill, "time"),
		{contestant: new(blobloom), passes: 1},
	}
	return slices.Concat(own, fuseEntrants(s, fill), others)
}

// notInLarge leaves a contestant out of large fields, because building it takes too much time,
// or memory.
func notInLarge(c contestant, fill filling, takes string) *entrant {
	const most = 64 << 20
	e := &entrant{contestant: c, passes: 1, leftOut: fill.bytes > most}
	if e.leftOut {
		e.note = "is left out above " + sizeText(most) + ": building it takes too much " + takes
	}
	return e
}
