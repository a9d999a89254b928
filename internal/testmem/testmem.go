// Package testmem lays out memory for tests: bytes right beside pages that nobody
// may touch, so that a kernel's read or write out of bounds ends the test at
// once, and filters of gigabytes that take hardly any memory. Only tests import
// it.
package testmem

import (
	"math"
	"os"
	"strconv"
	"testing"
)

type edge uint8

const (
	atStart edge = iota
	atEnd
)

// BesideGuards calls f with a copy of data that begins right behind an unreadable
// page, and with one that ends right before one. The copies are gone when the
// test is over. (Where there are no such pages, they are ordinary copies.)
func BesideGuards(t testing.TB, data []byte, f func(data []byte)) {
	t.Helper()
	for _, end := range []edge{atStart, atEnd} {
		f(place(t, data, end))
	}
}

// Sparse returns n zero bytes that take memory only where they are touched, or
// nil if this machine has no slices as long or does not promise as many. With CI
// set, only machines of 32 bits may do without. The bytes are gone when the test
// is over.
func Sparse(t testing.TB, n uint64) []byte {
	t.Helper()
	if n > math.MaxInt {
		return nil
	}
	memory := sparse(t, int(n))
	if memory == nil && strconv.IntSize == 64 && os.Getenv("CI") != "" {
		t.Errorf("testmem: no address space for %d bytes", n)
	}
	return memory
}
