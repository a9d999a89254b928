package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/pages"
)

// memory is what builders are given when they want some.
type memory string

const (
	lentMemory  memory = "lent"  // free memory of the system, which a virtual machine's host has lent it
	freeMemory  memory = "free"  // free memory of the system, which a host may have to lend it first
	heapsMemory memory = "heaps" // what Go's heap has used before, as far as there is any
)

// Set takes the name of a kind of memory.
func (m *memory) Set(name string) error {
	switch *m = memory(name); *m {
	case lentMemory, freeMemory, heapsMemory:
		return nil
	}
	return fmt.Errorf("%q is not %s, %s or %s", name, lentMemory, freeMemory, heapsMemory)
}

// String returns the name.
func (m *memory) String() string { return string(*m) }

// describe says what it is.
func (m memory) describe() string {
	return map[memory]string{
		lentMemory:  "free memory that the machine's host, if it has one, has lent it",
		freeMemory:  "free memory",
		heapsMemory: "memory that Go's heap has used before",
	}[m]
}

// lender has a virtual machine's host lend what a build will want next, always untimed,
// and knows the peak of the memory that is used besides.
type lender struct {
	memory
	before, peak int
	ahead        int // bytes for hashes that were lent and are not used yet
}

func newLender(m memory) *lender {
	machine.ResetPeak()
	return &lender{memory: m, before: machine.Peak()}
}

// filter is called when a filter is about to be made.
func (l *lender) filter(fill filling) error { return l.lend(fill.bytes + fill.bytes/8) }

// hashes is called when some more are about to be added.
func (l *lender) hashes(fill filling, added int) error {
	const (
		atOnce = 64 << 20
		bytes  = 8 // in a hash
	)
	if l.ahead -= bytes * added; l.ahead > 0 {
		return nil
	}
	l.ahead = atOnce
	return l.lend(1<<20 + min(atOnce, bytes*int(fill.keys))*5/4) // some is taken in large pieces
}

func (l *lender) lend(bytes int) error {
	if l.memory != lentMemory {
		return nil
	}
	l.notePeak()
	defer machine.ResetPeak()
	return pages.Lend(bytes)
}

func (l *lender) notePeak() { l.peak = max(l.peak, machine.Peak()-l.before) }
