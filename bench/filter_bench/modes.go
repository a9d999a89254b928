package main

import "math"

// mode is a way to spread queries over filters.
type mode int

const (
	singleFilter mode = iota
	batchPrepared
	batchUnprepared
	fiftyOne
	eightyTwenty
	randomFilter
)

var modeNames = [...]string{
	singleFilter:    "Single filter",
	batchPrepared:   "Batched, prepared",
	batchUnprepared: "Batched, unprepared",
	fiftyOne:        "Skewed 50% in 1%",
	eightyTwenty:    "Skewed 80% in 20%",
	randomFilter:    "Random filter",
}

func (m mode) String() string { return modeNames[m] }

// modes returns the modes of a run with these settings.
func (s *settings) modes() []mode {
	switch {
	case s.bestCase:
		return []mode{singleFilter}
	case s.quick:
		return []mode{singleFilter, randomFilter}
	}
	return []mode{singleFilter, batchPrepared, batchUnprepared, fiftyOne, eightyTwenty, randomFilter}
}

// batched reports whether queries come in batches for one filter.
func (m mode) batched() bool { return m == batchPrepared || m == batchUnprepared }

// spread has the number of hot filters and how many of 2^32 queries go to
// them; the others get the rest. It is not ok for too few filters.
func (m mode) spread(filters int) (hot, threshold uint32, ok bool) {
	n := uint32(filters)
	switch m {
	case singleFilter:
		return 1, math.MaxUint32, true
	case fiftyOne:
		return (n + 99) / 100, math.MaxUint32 / 2, n >= 50
	case eightyTwenty:
		return (n + 4) / 5, math.MaxUint32 / 5 * 4, n >= 5
	case randomFilter:
		return n, math.MaxUint32, n > 1
	}
	return n, math.MaxUint32, true
}

// mix is a share of inside queries. It is never all or nothing: the branch
// predictor would be told the answers.
type mix struct {
	title  string
	inside uint32 // of 2^32
	seed   uint64 // added to the run's
}

var mixes = []mix{
	{"Mixed inside/outside queries...", math.MaxUint32 / 2, 1},
	{"Inside queries (mostly)...", math.MaxUint32 / 20 * 19, 1},
	{"Outside queries (mostly)...", math.MaxUint32 / 20, 2},
}
