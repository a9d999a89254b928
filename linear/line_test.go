package linear

import (
	"strconv"
	"testing"
	"unsafe"
)

// What a lookup reads of a Filter begins with a cache line if the filter does: so
// Go's size classes have it for multiples of 64.
func TestFilterIsWholeLines(t *testing.T) {
	var f Filter
	if strconv.IntSize == 64 && (unsafe.Sizeof(f)%64 != 0 || unsafe.Offsetof(f.kernel)%64 != 0) {
		t.Errorf("%d bytes, the kernel begins at %d", unsafe.Sizeof(f), unsafe.Offsetof(f.kernel))
	}
}
