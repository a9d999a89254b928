package aligned

import (
	"bytes"
	"testing"
	"unsafe"
)

func TestMakeIsAlignedZeroedAndExact(t *testing.T) {
	for _, n := range []int{0, 1, 5, 63, 64, 65, 69, 100, 1000, 4096, 8196, 70_000, 1 << 20, 8 << 20, 10<<20 + 69} {
		used := bytes.Repeat([]byte{0xff}, n)
		for i := range 20 { // each at another place of the heap, or where one was before
			b := MakeBy(1+i%4, n)
			if len(b) != n || cap(b) != n {
				t.Fatalf("Make(%d): length %d, capacity %d", n, len(b), cap(b))
			}
			if n > 0 && uintptr(unsafe.Pointer(&b[0]))%Alignment != 0 {
				t.Fatalf("Make(%d) begins at %p", n, &b[0])
			}
			if zeros := bytes.Count(b, []byte{0}); zeros != n {
				t.Fatalf("Make(%d): %d bytes are not 0", n, n-zeros)
			}
			copy(b, used)
		}
	}
}
