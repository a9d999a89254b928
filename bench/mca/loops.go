package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A loop is the instructions from the target of a jump backwards to that jump, and
// the furthest of those to the same target.
type loop []instruction

func (l loop) head() uint64 { return l[0].address }

// loops returns the loops of a function in the order of their heads. None of them calls:
// a function that begins again after its stack has grown is not a loop.
func loops(function []instruction) (all []loop) {
	for head, first := range function {
		last := -1
		for i := head; i < len(function) && !function[i].leaves(); i++ {
			if function[i].target == first.address {
				last = i
			}
		}
		if last >= 0 {
			all = append(all, loop(function[head:last+1]))
		}
	}
	return all
}

// A shape says how many instructions of some mnemonics a loop has as it stands, which
// tells it from the others of its function. So a loop that has changed is not found,
// and not estimated for what it is not.
type shape map[string]int

func (s shape) fits(l loop) bool {
	counts := l.counts()
	for mnemonic, n := range s {
		if counts[mnemonic] != n {
			return false
		}
	}
	return true
}

// counts returns how often a loop has each mnemonic.
func (l loop) counts() shape {
	counts := make(shape)
	for _, in := range l {
		counts[in.mnemonic]++
	}
	return counts
}

// loopOf returns the one loop of a function that has a shape.
func loopOf(function []instruction, s shape) (loop, error) {
	var text strings.Builder
	var found []loop
	for _, l := range loops(function) {
		fmt.Fprintf(&text, "\n%#x: %v", l.head(), l.counts())
		if s.fits(l) {
			found = append(found, l)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d loops have the shape %v, not one; there are%s", len(found), s, text.String())
	}
	return found[0], nil
}

// A way says which way through a loop is walked.
type way struct {
	rounds []int // of each loop inside that it comes to, in the order of their ends
	taken  []int // which branches forwards, counted from 1 as they stand; all others fall through
}

// iteration returns the instructions of one iteration of a loop in the order in which
// they run, those of loops inside as often as they do.
func (l loop) iteration(w way) ([]instruction, error) {
	const most = 100_000 // more is a way in circles
	if last := len(l.forwards()); slices.ContainsFunc(w.taken, func(n int) bool { return n < 1 || n > last }) {
		return nil, fmt.Errorf("of %d branches forwards, %v are to be taken", last, w.taken)
	}
	var walked []instruction
	passed := make(map[uint64]int) // how often, by address
	rounds := make(map[uint64]int) // of loops inside, by the addresses of their ends
	for i := 0; i < len(l) && len(walked) < most; {
		in := l[i]
		walked = append(walked, in)
		passed[in.address]++
		if n := len(rounds); l.ends(i) && rounds[in.address] == 0 && n < len(w.rounds) {
			rounds[in.address] = w.rounds[n]
		}
		taken, err := l.takes(i, w, passed, rounds)
		switch {
		case err != nil:
			return nil, err
		case !taken:
			i++
		case in.target == l.head():
			return walked, nil
		default:
			i = l.index(in.target)
		}
	}
	return nil, errors.New("the way does not come back to the head of the loop")
}

// takes reports whether the way takes a jump. It stays in the loop, as in all iterations
// but the last.
func (l loop) takes(i int, w way, passed, rounds map[uint64]int) (bool, error) {
	in := l[i]
	inside := l.index(in.target) >= 0
	switch {
	case in.target == 0:
		return false, nil
	case in.always() && !inside:
		return false, fmt.Errorf("%#x: the way leads out of the loop", in.address)
	case in.always() || i == len(l)-1:
		return true, nil
	case !inside || in.target == l.head():
		return false, nil
	case in.target > in.address:
		return slices.Contains(w.taken, 1+slices.Index(l.forwards(), in)), nil
	case rounds[in.address] == 0:
		return false, fmt.Errorf("%#x: a loop inside, with an unknown number of rounds", in.target)
	case passed[in.target] < rounds[in.address]:
		return true, nil
	}
	passed[in.target] = 0 // for when the way comes here again
	return false, nil
}

// ends reports whether an instruction is the end of a loop inside.
func (l loop) ends(i int) bool {
	to := l[i].target
	return i < len(l)-1 && !l[i].always() && l.head() < to && to <= l[i].address
}

// forwards returns the branches that a way has a choice of: those with a condition, to
// further down in the loop.
func (l loop) forwards() (branches []instruction) {
	for _, in := range l {
		if in.target > in.address && !in.always() && l.index(in.target) >= 0 {
			branches = append(branches, in)
		}
	}
	return branches
}

// index returns where the instruction at an address is in the loop, or -1.
func (l loop) index(address uint64) int {
	return slices.IndexFunc(l, func(in instruction) bool { return in.address == address })
}
