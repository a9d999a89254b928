//go:build unix && !linux

package filterfile

import "golang.org/x/sys/unix"

// readAhead has the system read the file before it is needed.
func readAhead(mapped []byte) { unix.Madvise(mapped, unix.MADV_WILLNEED) }
