//go:build !linux

package pages

import "unsafe"

// Default is the only kind there is.
const Default = Ordinary

const lineBytes = 64

// Mapping is ordinary Go memory.
type Mapping struct {
	// Bytes are zero at first, and begin at a multiple of 64.
	Bytes []byte
}

// Map returns the given number of bytes, at least one.
func Map(_ Kind, bytes int) (*Mapping, error) {
	memory := make([]byte, bytes+lineBytes)
	skip := lineBytes - int(uintptr(unsafe.Pointer(unsafe.SliceData(memory)))%lineBytes)
	return &Mapping{Bytes: memory[skip : skip+bytes : skip+bytes]}, nil
}

// Unmap leaves the memory to the garbage collector.
func (m *Mapping) Unmap() error { return nil }

// HugeShare returns 0: the system does not say.
func (m *Mapping) HugeShare() (float64, error) { return 0, nil }
