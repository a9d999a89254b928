package paired

import (
	"strconv"
	"testing"
	"unsafe"
)

// What a lookup reads of a Filter begins with a cache line if the filter does: so
// Go's size classes have it for multiples of 64.
func TestFilterIsWholeLines(t *testing.T) {
	if size := unsafe.Sizeof(Filter{}); strconv.IntSize == 64 && size%64 != 0 {
		t.Errorf("%d bytes", size)
	}
}
