//go:build unix

package asm_test

import (
	"syscall"
	"testing"
)

// promised returns zero bytes that take memory only where they are touched, or
// nil if the system does not promise as many.
func promised(t *testing.T, n int) []byte {
	memory, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { syscall.Munmap(memory) })
	return memory
}
