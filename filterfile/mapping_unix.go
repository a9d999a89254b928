//go:build unix

package filterfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file, and has the system read it ahead if all of it is needed.
func mapFile(file *os.File, size int, all bool) ([]byte, error) {
	mapped, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err == nil && all {
		unix.Madvise(mapped, unix.MADV_WILLNEED)
	}
	return mapped, err
}

func unmap(mapped []byte) { unix.Munmap(mapped) }
