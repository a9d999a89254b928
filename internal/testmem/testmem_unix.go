//go:build unix

package testmem

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func place(t testing.TB, data []byte, end edge) []byte {
	t.Helper()
	page := os.Getpagesize()
	room := (len(data) + page - 1) / page * page
	memory := sparse(t, room+2*page)
	if memory == nil {
		t.Fatalf("testmem: no memory for %d bytes", len(data))
	}
	for _, guard := range [][]byte{memory[:page], memory[page+room:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatalf("testmem: mprotect: %v", err)
		}
	}
	from := page
	if end == atEnd {
		from += room - len(data)
	}
	placed := memory[from : from+len(data) : from+len(data)]
	copy(placed, data)
	return placed
}

func sparse(t testing.TB, n int) []byte {
	memory, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	return memory
}
