//go:build unix

package asm_test

import (
	"testing"

	"golang.org/x/sys/unix"
)

// promised returns zero bytes that take memory only where they are touched, or
// nil if the system does not promise as many.
func promised(t *testing.T, n int) []byte {
	memory, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	return memory
}
