package main

import (
	"cmp"
	"slices"
	"time"
)

// order has those last that take longest: mutants that are compiled alone, and survivors with a reason. Each kind is in
// the order of the hashes, so that those that an interrupted run has run are a fair sample.
func (r *runner) order(left []*mutant, built *programs) {
	last := func(m *mutant) int {
		switch _, known := r.known[m.id]; {
		case built.numbers[m] == 0:
			return 2
		case known:
			return 1
		}
		return 0
	}
	slices.SortFunc(left, func(a, b *mutant) int {
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a.hash(), b.hash()))
	})
}

// estimate is the time of the processor that mutants will take, by what they took so far: a tenth of the time of their
// tests if they are killed, as nine of ten are, and all of it otherwise. To compile one alone takes as long as it takes
// to compile them all.
func (r *runner) estimate(left []*mutant, built *programs) (sum time.Duration) {
	for _, m := range left {
		number := built.numbers[m]
		takes := timeOf(built.shortest(func(t *reaching) bool { return number == 0 || t.numbers[number] }))
		if sum += 20*time.Millisecond + takes/5; number == 0 {
			sum += built.compiling
		}
	}
	return sum
}
