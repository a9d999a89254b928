//go:build !386 && !arm && !mips && !mipsle

package aligned

import (
	"bytes"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

const (
	// hugeBytes is a huge page on amd64, riscv64, and arm64 with pages of 4 KiB.
	// Where they are larger, those that lie in the memory as a whole become huge.
	hugeBytes = 2 << 20

	// hugeFrom is the size from which huge pages may pay. Up to 8 MiB lookups were
	// as fast in pages of 4 KiB, which the processor finds without the page tables
	// (it remembers 2048 on Ice Lake, 3072 on Zen 4). And the garbage collector
	// counts Slack as allocated: a quarter more here, less beyond.
	hugeFrom = 8 << 20
)

// hugePages reports whether the kernel was set to give huge pages to those who ask
// when it was first wanted to know. MADV_COLLAPSE itself would not care.
var hugePages = sync.OnceValue(func() bool {
	setting, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && !bytes.Contains(setting, []byte("[never]"))
})

// collapse puts whole and aligned pages, which are zero, into huge ones, as far as
// the kernel has any: since Linux 6.1. Before, and where it fails, they stay as they
// are, and nothing is to be done about it. What it makes resident is written to
// anyway, and sooner so: 256 MiB of fresh memory take 13 ms, and 100 as small pages
// that are written to one by one (Zen 4).
//
// Why not MADV_HUGEPAGE: it stays with the addresses when the garbage collector
// has freed the memory. What the heap has there next is small, and whatever of it
// the runtime returned, the kernel would fill up again to whole huge pages. There
// is no moment to take it back (a cleanup runs when the addresses may be in use
// again, a finalizer keeps the memory for another cycle) and no advice that does
// (MADV_NOHUGEPAGE is not what was before). Each range of it is a mapping of its
// own, too, of which a process may have 65530. MADV_COLLAPSE leaves nothing behind,
// and helps where make had to clear memory that the heap had used in small pages.
func collapse(pages []byte) {
	// It passes over what has no page at all, and fresh memory make does not touch.
	for i := 0; i < len(pages); i += hugeBytes {
		pages[i] = 0
	}
	for range 3 { // what is in its way may be gone the next time
		if unix.Madvise(pages, unix.MADV_COLLAPSE) != unix.EAGAIN {
			return
		}
	}
}
