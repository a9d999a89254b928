package bloom

import (
	"strconv"
	"testing"
	"unsafe"
)

// What a lookup reads of a Filter is at its beginning, within a cache line if the
// filter begins with one: so Go's size classes have it for multiples of 64. Across
// two lines a single lookup takes 5 % longer.
func TestFilterIsWholeLines(t *testing.T) {
	if size := unsafe.Sizeof(Filter{}); strconv.IntSize == 64 && size%64 != 0 {
		t.Errorf("%d bytes", size)
	}
}
