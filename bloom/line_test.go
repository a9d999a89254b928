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
	var f Filter
	if strconv.IntSize == 64 && (unsafe.Sizeof(f)%64 != 0 || unsafe.Offsetof(f.kernel)%64 != 0) {
		t.Errorf("%d bytes, the kernel begins at %d", unsafe.Sizeof(f), unsafe.Offsetof(f.kernel))
	}
	var g growing
	if strconv.IntSize == 64 && (unsafe.Sizeof(g) != 256 || unsafe.Offsetof(g.filter) != 0) {
		t.Errorf("a growing filter has %d bytes, its filter begins at %d", unsafe.Sizeof(g), unsafe.Offsetof(g.filter))
	}
}
