//go:build unix

package filterfile

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapFile(file *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

// readAhead has the system read a mapped file that is about to be needed.
func readAhead(mapped []byte) { unix.Madvise(mapped, unix.MADV_WILLNEED) }

func unmap(mapped []byte) { unix.Munmap(mapped) }
