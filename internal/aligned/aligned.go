// Package aligned makes memory that starts at a multiple of 64 bytes, so that a
// filter's blocks are cache lines. It is ordinary Go memory: the garbage
// collector frees it. Large memory is in huge pages where Linux has them.
package aligned

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/parallel"
)

// Alignment divides the address of the first byte.
const Alignment = 64

// Slack is the most bytes that Make allocates beyond those it returns. They are
// addresses, not memory, unless the heap has used them before.
const Slack = max(Alignment, hugeBytes) - 1

// Make returns n zero bytes whose capacity is n too.
func Make(n int) []byte { return MakeBy(1, n) }

// MakeBy is Make with at most the given number of goroutines: clearing large memory takes
// as long as much else that is done to it.
func MakeBy(goroutines, n int) []byte {
	if n == 0 {
		return []byte{}
	}
	if n < hugeFrom {
		b := makeAt(Alignment, n)
		populate(b)
		return b
	}
	if !hugePages() {
		return makeAt(Alignment, n) // goroutines write to its pages side by side
	}
	b := makeAt(hugeBytes, n)
	pages := n / hugeBytes
	goroutines = min(goroutines, pages)
	parallel.Each(goroutines, goroutines, func(_, i int) {
		collapse(b[pages*i/goroutines*hugeBytes : pages*(i+1)/goroutines*hugeBytes])
	})
	return b
}

// Copy returns a copy of b in memory that Make returned.
func Copy(b []byte) []byte {
	c := Make(len(b))
	copy(c, b)
	return c
}

// Words returns n zero words. Large memory begins at a huge page, so that Collapse can take
// it piece by piece when it is needed.
func Words(n int) []uint64 {
	alignment := Alignment
	if n >= hugeFrom/8 && hugePages() {
		alignment = hugeBytes
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(makeAt(alignment, 8*n)))), n)
}

// Populate makes words resident that are about to be written to, where doing it at once is
// faster than page by page.
func Populate(words []uint64) {
	populate(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words)))
}

// Collapse puts words that Words returned, or whole huge pages of them, into huge pages, as
// far as the system has any. Their content is lost. The words begin at a huge page.
func Collapse(words []uint64) {
	if n := 8 * len(words); n >= hugeBytes && hugePages() {
		collapse(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n/hugeBytes*hugeBytes))
	}
}

// makeAt returns n zero bytes that begin at a multiple of the alignment.
func makeAt(alignment, n int) []byte {
	memory := make([]byte, n+alignment-1)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(memory)))) & (alignment - 1)
	return memory[skip : skip+n : skip+n]
}
