//go:build unix

package guardpage

import (
	"os"
	"syscall"
	"testing"
)

func place(t testing.TB, data []byte, end edge) []byte {
	t.Helper()
	page := os.Getpagesize()
	room := (len(data) + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, room+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatalf("guardpage: mmap: %v", err)
	}
	t.Cleanup(func() { syscall.Munmap(memory) })
	for _, guard := range [][]byte{memory[:page], memory[page+room:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
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
