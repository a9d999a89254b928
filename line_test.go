package simdbloom

import (
	"strconv"
	"testing"
	"unsafe"
)

// What a lookup reads of a Filter is at its beginning, within a cache line if the
// filter begins with one: so Go's size classes have it for multiples of 64. Across
// two lines a single lookup takes 5 % longer.
func TestFilterIsWholeLines(t *testing.T) {
	var f Filter
	var g growing
	if unsafe.Offsetof(f.kernel) != 0 || unsafe.Offsetof(g.Filter) != 0 {
		t.Errorf("the kernel begins at %d, and a growing filter's filter at %d", unsafe.Offsetof(f.kernel), unsafe.Offsetof(g.Filter))
	}
	if strconv.IntSize == 64 && (unsafe.Sizeof(f)%64 != 0 || unsafe.Sizeof(g)%64 != 0) {
		t.Errorf("a Filter has %d bytes, what grows %d", unsafe.Sizeof(f), unsafe.Sizeof(g))
	}
}
