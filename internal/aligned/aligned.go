// Package aligned makes memory that starts at a multiple of 64 bytes, so that a
// filter's blocks are cache lines. It is ordinary Go memory: the garbage
// collector frees it. What is large is in huge pages where Linux has them.
package aligned

import "unsafe"

// Alignment is what the address of the first byte is a multiple of.
const Alignment = 64

// Slack is the most bytes that Make allocates beyond those it returns. They are
// addresses, not memory, unless the heap has used them before.
const Slack = max(Alignment, hugeBytes) - 1

// Make returns n zero bytes whose capacity is n too.
func Make(n int) []byte {
	if n == 0 {
		return []byte{}
	}
	if n < hugeFrom || !hugePages() {
		return makeAt(Alignment, n)
	}
	b := makeAt(hugeBytes, n)
	collapse(b[:n/hugeBytes*hugeBytes])
	return b
}

// makeAt returns n zero bytes that begin at a multiple of the alignment.
func makeAt(alignment, n int) []byte {
	memory := make([]byte, n+alignment-1)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(memory)))) & (alignment - 1)
	return memory[skip : skip+n : skip+n]
}
