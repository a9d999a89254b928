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
		for i := head; i < len(function) && !leaves.MatchString(function[i].mnemonic); i++ {
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

// A shape has the number of instructions of some mnemonics in a loop as it stands, which
// tells it from the others of its function. So a loop that has changed is not found,
// and gets no wrong estimate.
type shape map[string]int

// shapeOf returns how often instructions have each mnemonic.
func shapeOf(instructions []instruction) shape {
	counts := make(shape)
	for _, in := range instructions {
		counts[in.mnemonic]++
	}
	return counts
}

// loopOf returns the one loop of a function that has a shape.
func loopOf(function []instruction, s shape) (loop, error) {
	var text strings.Builder
	var found []loop
	for _, l := range loops(function) {
		has := shapeOf(l)
		fmt.Fprintf(&text, "\n%#x: %v", l.head(), has)
		fits := true
		for mnemonic, n := range s {
			fits = fits && has[mnemonic] == n
		}
		if fits {
			found = append(found, l)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d loops have the shape %v, not one; there are%s", len(found), s, text.String())
	}
	return found[0], nil
}

// A way has the number of times in a row that branches of a loop are taken. They are those with a condition that stay
// in the loop, counted from 1 as they stand. A branch forwards that the way does not have is not taken.
type way map[int]int

// iteration returns the instructions of one iteration of a loop in the order in which they run. The loop goes on, as
// in all iterations but the last.
func (l loop) iteration(w way) ([]instruction, error) {
	const most = 100_000 // more is a way in circles
	branches := l.branches()
	for n := range w {
		if n < 1 || n > len(branches) {
			return nil, fmt.Errorf("of %d branches, number %d is to be taken", len(branches), n)
		}
	}
	var walked []instruction
	taken := make(map[int]int) // in a row
	for i := 0; i >= 0 && len(walked) < most; {
		in := l[i]
		walked = append(walked, in)
		n := 1 + slices.Index(branches, i)
		times, known := w[n]
		switch {
		case in.target == l.head() && (in.always() || i == len(l)-1):
			return walked, nil
		case in.always():
			i = l.index(in.target)
		case n > 0 && in.target <= in.address && !known:
			return nil, fmt.Errorf("branch %d, to %#x: a loop inside, with an unknown number of rounds", n, in.target)
		case taken[n] < times:
			taken[n]++
			i = l.index(in.target)
		default:
			taken[n] = 0
			i++
		}
	}
	return nil, errors.New("the way does not come back to the head of the loop")
}

// branches returns where the branches are that a way has a choice of.
func (l loop) branches() (at []int) {
	for i, in := range l {
		if in.target != 0 && !in.always() && l.index(in.target) > 0 {
			at = append(at, i)
		}
	}
	return at
}

// index returns where the instruction at an address is in the loop, or -1.
func (l loop) index(address uint64) int {
	return slices.IndexFunc(l, func(in instruction) bool { return in.address == address })
}
