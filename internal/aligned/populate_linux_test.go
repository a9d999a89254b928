package aligned_test

import (
	"os"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/simdbloom/simdbloom/internal/aligned"
)

// Memory straight from the system has no pages until they are populated.
func TestPopulateMakesPagesResident(t *testing.T) {
	const size = 4 << 20
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	first := memory[:os.Getpagesize()]
	if err := unix.Madvise(first, unix.MADV_POPULATE_WRITE); err != nil {
		t.Skip("older than Linux 5.14: ", err)
	}
	if !residentPages(t, first)[0] {
		t.Skip("an emulator, which ignores advice")
	}
	aligned.Populate(unsafe.Slice((*uint64)(unsafe.Pointer(&memory[8])), size/8-2))
	pages := residentPages(t, memory)
	if page := slices.Index(pages[:len(pages)-1], false); page >= 0 {
		t.Errorf("page %d of %d is not resident", page, len(pages))
	}
}

// Where the last page is resident, the memory has been used before.
func TestPopulateLeavesUsedMemoryAlone(t *testing.T) {
	const size = 4 << 20
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	if err := unix.Madvise(memory, unix.MADV_NOHUGEPAGE); err != nil {
		t.Skip("pages may be huge: ", err)
	}
	memory[size-1] = 1
	if pages := residentPages(t, memory); !pages[len(pages)-1] || pages[0] {
		t.Skip("an emulator, or pages that are larger than it says")
	}
	aligned.Populate(unsafe.Slice((*uint64)(unsafe.Pointer(&memory[0])), size/8))
	if residentPages(t, memory)[0] {
		t.Error("the first page was populated")
	}
}

// residentPages reports which pages of memory are.
func residentPages(t *testing.T, memory []byte) []bool {
	t.Helper()
	flags := make([]byte, len(memory)/os.Getpagesize())
	_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)), uintptr(unsafe.Pointer(&flags[0])))
	if errno != 0 {
		t.Skip("the system does not say what is resident: ", errno)
	}
	pages := make([]bool, len(flags))
	for i, flag := range flags {
		pages[i] = flag&1 != 0
	}
	return pages
}
