//go:build !386 && !arm && !mips && !mipsle

package aligned

import (
	"bytes"
	"sync"

	"golang.org/x/sys/unix"
)

const (
	// hugeBytes is a huge page on amd64, riscv64, and arm64 with pages of 4 KiB.
	// Where huge pages are larger, those that lie wholly in the memory are used.
	hugeBytes = 2 << 20

	// hugeFrom is the size from which huge pages may pay. Up to 8 MiB lookups were
	// as fast in pages of 4 KiB: the TLB has 2048 entries on Ice Lake, 3072 on Zen 4.
	// And the garbage collector counts Slack as allocated: a quarter of 8 MiB.
	hugeFrom = 8 << 20
)

// hugePages reports whether transparent huge pages were enabled at its first call.
// MADV_COLLAPSE works even if they are disabled, so the setting is respected here. (os.ReadFile would link
// package time with its formats and time zones, 70 KB.)
var hugePages = sync.OnceValue(func() bool {
	file, err := unix.Open("/sys/kernel/mm/transparent_hugepage/enabled", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(file)
	var setting [64]byte
	n, err := unix.Read(file, setting[:])
	return err == nil && !bytes.HasSuffix(setting[:n], []byte("[never]\n")) // the last of three words
})

// collapse puts whole and aligned pages, which are zero, into huge ones, as far as the
// kernel has any: since Linux 6.1. On older kernels, and where it fails, the pages stay
// small. The memory is about to be written to anyway, and making it resident this way is
// several times as fast as page by page.
//
// Why not MADV_HUGEPAGE: the advice stays with the addresses after the garbage collector
// freed them. The kernel would back small objects there by whole huge pages again, and so
// undo what the runtime returned to it. There is no moment to withdraw the advice (a cleanup
// runs when the addresses may be in use again, a finalizer keeps the memory for another
// cycle), and no way to (MADV_NOHUGEPAGE is not the state before). Each advised range is
// also a mapping of its own, of which a process may have 65530. MADV_COLLAPSE leaves nothing
// behind, and also helps where make cleared memory that the heap had used in small pages.
func collapse(pages []byte) {
	// It skips memory without any page, and make does not touch fresh memory.
	for i := 0; i < len(pages); i += hugeBytes {
		pages[i] = 0
	}
	for range 3 { // an obstacle may be gone the next time
		if unix.Madvise(pages, unix.MADV_COLLAPSE) != unix.EAGAIN {
			return
		}
	}
}
