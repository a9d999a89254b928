//go:build unix

package testmem

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

const isUnix = true

func between(t testing.TB, n int) []byte {
	t.Helper()
	page := os.Getpagesize()
	room := (n + page - 1) / page * page
	memory := sparse(t, room+2*page)
	if memory == nil {
		t.Fatalf("testmem: no memory for %d bytes", n)
	}
	protect(t, memory[:page], unix.PROT_NONE)
	protect(t, memory[page+room:], unix.PROT_NONE)
	return memory[page : page+room : page+room]
}

func readOnly(t testing.TB, memory []byte) func() {
	t.Helper()
	protect(t, memory, unix.PROT_READ)
	return func() { protect(t, memory, unix.PROT_READ|unix.PROT_WRITE) }
}

func protect(t testing.TB, pages []byte, access int) {
	t.Helper()
	if len(pages) == 0 {
		return
	}
	if err := unix.Mprotect(pages, access); err != nil {
		t.Fatalf("testmem: mprotect: %v", err)
	}
}

func sparse(t testing.TB, n int) []byte {
	memory, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	return memory
}
