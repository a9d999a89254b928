package policy

import (
	"cmp"
	"slices"
	"sort"
)

// choice is a filter that a level may have, or none.
type choice struct {
	millibits int // per key: 0 without a filter
	bytes     float64
	rate      float64 // reads of an absent key
}

// fewestReads returns a choice for each level, of at most the given bytes in all: the one with the least sum of
// rates, or one within looseness of it. Each level's choices are in the order of bytes, with ever lower rates, and
// the first one has no bytes.
//
// It goes through the levels from the largest on, and tries the choices by the sum that is possible at best: where
// the remaining bytes can be divided at will between neighbors on the lower convex hull of a level's choices. It leaves
// out choices that cannot be better than the best so far.
func fewestReads(levels [][]choice, bytes float64) []choice {
	s := search{levels: levels, order: make([]int, len(levels)), picked: make([]choice, len(levels)), tries: mostTries}
	for i := range s.order {
		s.order[i] = i
	}
	largest := func(i int) float64 { return levels[i][len(levels[i])-1].bytes }
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(largest(b), largest(a)) })
	var steps []step
	s.bounds = make([]bound, len(levels)+1)
	for i := len(levels) - 1; i >= 0; i-- {
		steps = append(steps, hull(levels[s.order[i]])...)
		s.bounds[i] = newBound(len(levels)-i, steps)
	}
	s.from(0, bytes, 0)
	return s.best
}

const (
	looseness = 1e-4
	mostTries = 2000 // so that many levels of few choices take no longer
)

type search struct {
	levels [][]choice
	order  []int   // of levels
	bounds []bound // of the levels from the one of that place in the order on
	picked []choice
	tries  int

	best []choice
	sum  float64 // of its rates
}

// from picks the levels from a place in the order on, and keeps the picks if they are the best so far. Those before
// have the given sum of rates.
func (s *search) from(place int, bytes, sum float64) {
	if place == len(s.order) {
		s.best, s.sum = slices.Clone(s.picked), sum
		return
	}
	type option struct {
		choice
		least float64 // sum
	}
	var options []option
	for _, c := range s.levels[s.order[place]] {
		if c.bytes <= bytes {
			options = append(options, option{c, sum + c.rate + s.bounds[place+1].rate(bytes-c.bytes)})
		}
	}
	slices.SortStableFunc(options, func(a, b option) int { return cmp.Compare(a.least, b.least) })
	for _, o := range options {
		if s.best != nil && (o.least >= s.sum*(1-looseness) || s.tries == 0) {
			return
		}
		s.tries = max(s.tries-1, 0)
		s.picked[s.order[place]] = o.choice
		s.from(place+1, bytes-o.bytes, sum+o.rate)
	}
}

// step is the step from a choice on the hull to the next.
type step struct{ bytes, gain float64 }

// hull returns the steps along the lower convex hull, each with less gain for a byte than the one before.
func hull(choices []choice) (steps []step) {
	for i := 1; i < len(choices); i++ {
		next := step{choices[i].bytes - choices[i-1].bytes, choices[i-1].rate - choices[i].rate}
		for n := len(steps); n > 0 && next.gain*steps[n-1].bytes >= steps[n-1].gain*next.bytes; n-- {
			next.bytes, next.gain = next.bytes+steps[n-1].bytes, next.gain+steps[n-1].gain
			steps = steps[:n-1]
		}
		steps = append(steps, next)
	}
	return steps
}

// bound has the least sum of rates by the bytes that some levels have.
type bound struct{ bytes, rates []float64 }

// newBound returns the bound of a number of levels with the given steps, which it sorts.
func newBound(levels int, steps []step) bound {
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(b.gain*a.bytes, a.gain*b.bytes) })
	b := bound{[]float64{0}, []float64{float64(levels)}}
	for i, s := range steps {
		b.bytes, b.rates = append(b.bytes, b.bytes[i]+s.bytes), append(b.rates, b.rates[i]-s.gain)
	}
	return b
}

func (b bound) rate(bytes float64) float64 {
	if len(b.bytes) == 0 { // no levels
		return 0
	}
	i := sort.SearchFloat64s(b.bytes, bytes)
	if i == len(b.bytes) {
		return b.rates[i-1]
	}
	if i == 0 {
		return b.rates[0]
	}
	share := (bytes - b.bytes[i-1]) / (b.bytes[i] - b.bytes[i-1])
	return b.rates[i-1] - share*(b.rates[i-1]-b.rates[i])
}
