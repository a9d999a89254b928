//go:build race

// Package race tells the race detector what assembly reads and writes, which it does not see.
package race

import (
	"runtime"
	"unsafe"
)

// Enabled reports whether the detector is part of this program.
const Enabled = true

// Read says that all of s is read.
func Read[T any](s []T) {
	if len(s) > 0 {
		runtime.RaceReadRange(start(s), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// Write says that all of s is written.
func Write[T any](s []T) {
	if len(s) > 0 {
		runtime.RaceWriteRange(start(s), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// start is where s begins. Escape analysis does not see that: the runtime's functions would let everything that
// kernels use escape to the heap.
//
//go:nosplit
//go:nocheckptr
func start[T any](s []T) unsafe.Pointer {
	address := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	return unsafe.Pointer(address ^ 0)
}
