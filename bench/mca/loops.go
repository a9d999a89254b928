package main

import (
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
	for mnemonic, n := range s {
		if l.count(mnemonic) != n {
			return false
		}
	}
	return true
}

func (l loop) count(mnemonic string) (n int) {
	for _, in := range l {
		if in.mnemonic == mnemonic {
			n++
		}
	}
	return n
}

// String names the mnemonics of a loop, those that there are most of first.
func (l loop) String() string {
	var mnemonics []string
	for _, in := range l {
		if !slices.Contains(mnemonics, in.mnemonic) {
			mnemonics = append(mnemonics, in.mnemonic)
		}
	}
	slices.SortStableFunc(mnemonics, func(a, b string) int { return l.count(b) - l.count(a) })
	for i, mnemonic := range mnemonics {
		mnemonics[i] = fmt.Sprintf("%s:%d", mnemonic, l.count(mnemonic))
	}
	return fmt.Sprintf("%#x, %d instructions: %s", l.head(), len(l), strings.Join(mnemonics, " "))
}

// loopOf returns the one loop of a function that has a shape.
func loopOf(function []instruction, s shape) (loop, error) {
	var text strings.Builder
	var found []loop
	for _, l := range loops(function) {
		fmt.Fprintf(&text, "\n%s", l)
		if s.fits(l) {
			found = append(found, l)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d loops have the shape %v, not one; there are%s", len(found), s, text.String())
	}
	return found[0], nil
}
