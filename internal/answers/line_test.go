package answers

import (
	"strconv"
	"testing"
	"unsafe"
)

// A lookup loads a vector from the beginning of either: across two lines that takes
// longer.
func TestReadersBeginWithLines(t *testing.T) {
	var r Reader
	if strconv.IntSize == 64 && (unsafe.Offsetof(r.FastLocal)%64 != 0 || unsafe.Offsetof(r.Paired)%64 != 0) {
		t.Errorf("they begin at %d and %d", unsafe.Offsetof(r.FastLocal), unsafe.Offsetof(r.Paired))
	}
}
