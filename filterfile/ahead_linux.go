package filterfile

import "golang.org/x/sys/unix"

// readAhead maps all pages, by one system call instead of one page fault for every 16 of them.
// Before Linux 5.14 it does nothing.
func readAhead(mapped []byte) { unix.Madvise(mapped, unix.MADV_POPULATE_READ) }
