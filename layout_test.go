package simdbloom

import (
	"testing"
	"unsafe"
)

// TestFiltersAreWholeCacheLines: Go allocates sizes that are multiples of 64 at such addresses, and a
// lookup then reads one line of the filter.
func TestFiltersAreWholeCacheLines(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) < 8 {
		t.Skip("the sizes are those of 64-bit machines")
	}
	if size := unsafe.Sizeof(Filter{}); size > 192 {
		t.Errorf("a Filter has %d bytes: a thousand of them are looked up at the speed of their lines", size)
	}
	for name, size := range map[string]uintptr{
		"Filter": unsafe.Sizeof(Filter{}), "Mutable": unsafe.Sizeof(Mutable{}), "Concurrent": unsafe.Sizeof(Concurrent{}),
	} {
		if size%64 != 0 {
			t.Errorf("a %s has %d bytes", name, size)
		}
	}
	if at := unsafe.Offsetof(Filter{}.kernel); at != 0 {
		t.Errorf("the kernel is at %d", at)
	}
}
