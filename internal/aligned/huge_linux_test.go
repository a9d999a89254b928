//go:build !386 && !arm && !mips && !mipsle

package aligned_test

import (
	"runtime"
	"runtime/debug"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/simdbloom/simdbloom/internal/aligned"
)

const hugeBytes = 2 << 20

func TestLargeMemoryIsInHugePages(t *testing.T) {
	needHugePages(t)
	for _, maker := range makers {
		t.Run(maker.name, func(t *testing.T) {
			checkHuge(t, func() any {
				made := maker.make(t)
				debug.FreeOSMemory() // what it took to make it
				return made
			})
		})
	}
}

func TestMemoryThatTheHeapUsedIsInHugePages(t *testing.T) {
	needHugePages(t)
	checkHuge(t, func() any {
		touch(make([]byte, 2*size))
		runtime.GC()
		return makers[0].make(t)
	})
}

// checkHuge checks that the memory is in huge pages. The kernel promises none: it may lack
// one just then, or split one that it wants to reclaim. So one success in a few attempts is
// enough.
func checkHuge(t *testing.T, make func() any) {
	t.Helper()
	var huge int
	for range 8 {
		debug.FreeOSMemory()
		without := memory(t, "AnonHugePages")
		made := make()
		huge = memory(t, "AnonHugePages") - without
		runtime.KeepAlive(made)
		if huge >= size/10*9 {
			return
		}
	}
	needHugePages(t) // still
	t.Errorf("%d KiB of %d are in huge pages", huge>>10, size>>10)
}

func TestLargeMemoryBeginsAtAHugePage(t *testing.T) {
	for n, want := range map[int]uintptr{
		aligned.HugeFrom - 1: aligned.Alignment,
		aligned.HugeFrom:     hugeBytes,
		size + 5:             hugeBytes,
	} {
		if !aligned.HugePages() {
			want = aligned.Alignment
		}
		for range 5 {
			if at := unsafe.SliceData(aligned.Make(n)); uintptr(unsafe.Pointer(at))%want != 0 {
				t.Errorf("%d bytes begin at %p", n, at)
			}
		}
	}
}

// needHugePages skips the test where the kernel does not put other memory into huge pages.
func needHugePages(t *testing.T) {
	t.Helper()
	if !aligned.HugePages() {
		t.Skip("the kernel is set to give no huge pages, or has none")
	}
	defer debug.FreeOSMemory()
	debug.FreeOSMemory()
	without := memory(t, "AnonHugePages")
	other := make([]byte, size+hugeBytes)
	touch(other)
	begin := -int(uintptr(unsafe.Pointer(unsafe.SliceData(other)))) & (hugeBytes - 1)
	err := unix.Madvise(other[begin:begin+size], unix.MADV_COLLAPSE)
	if huge := memory(t, "AnonHugePages") - without; huge < size/10*9 {
		t.Skipf("the kernel (before 6.1?) puts %d KiB of %d into huge pages: %v", huge>>10, size>>10, err)
	}
	runtime.KeepAlive(other)
}
