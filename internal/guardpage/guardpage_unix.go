//go:build unix

package guardpage

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func place(t testing.TB, data []byte, end edge) []byte {
	t.Helper()
	page := os.Getpagesize()
	room := (len(data) + page - 1) / page * page
	memory, err := unix.Mmap(-1, 0, room+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatalf("guardpage: mmap: %v", err)
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	for _, guard := range [][]byte{memory[:page], memory[page+room:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatalf("guardpage: mprotect: %v", err)
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
