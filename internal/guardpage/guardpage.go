// Package guardpage puts bytes right beside memory that nobody may touch, so
// that a kernel's read or write out of bounds ends the test at once. Only tests
// import it.
package guardpage

import "testing"

type edge uint8

const (
	atStart edge = iota
	atEnd
)

// Each calls f with a copy of data that begins right behind an unreadable page,
// and with one that ends right before one. The copies are gone when the test is
// over.
func Each(t testing.TB, data []byte, f func(data []byte)) {
	t.Helper()
	for _, end := range []edge{atStart, atEnd} {
		f(place(t, data, end))
	}
}
