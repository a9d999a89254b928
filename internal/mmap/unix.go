//go:build unix

package mmap

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Map returns the first bytes of a file, for reading. The file may be closed.
func Map(file *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

// ReadAhead has the system begin to read the pages of a part of a mapped file.
func ReadAhead(part []byte) {
	if len(part) == 0 {
		return
	}
	first := unsafe.Pointer(unsafe.SliceData(part))
	before := int(uintptr(first) % uintptr(os.Getpagesize())) // in the page's beginning, which is mapped, too
	unix.Madvise(unsafe.Slice((*byte)(unsafe.Add(first, -before)), before+len(part)), unix.MADV_WILLNEED)
}

// Random has the system read only the pages that are needed, and none beside them.
func Random(mapped []byte) { unix.Madvise(mapped, unix.MADV_RANDOM) }

// Unmap ends a mapping.
func Unmap(mapped []byte) { unix.Munmap(mapped) }
