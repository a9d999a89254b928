// Package aligned makes memory that starts at a multiple of 64 bytes, so that a
// filter's blocks are cache lines. It is ordinary Go memory: the garbage
// collector frees it.
package aligned

import "unsafe"

// Alignment is what the address of the first byte is a multiple of.
const Alignment = 64

// Slack is how many bytes more than it returns Make allocates.
const Slack = Alignment - 1

// Make returns n zero bytes whose capacity is n too.
func Make(n int) []byte {
	if n == 0 {
		return []byte{}
	}
	memory := make([]byte, n+Slack)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(memory)))) & (Alignment - 1)
	return memory[skip : skip+n : skip+n]
}
