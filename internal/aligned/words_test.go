package aligned

import (
	"testing"
	"unsafe"
)

func TestWords(t *testing.T) {
	for _, n := range []int{1, 1000, hugeBytes / 8, 1 << 21} {
		for range 3 {
			words := Words(n)
			if at := uintptr(unsafe.Pointer(&words[0])); at%Alignment != 0 || n == 1<<21 && hugePages() && at%hugeBytes != 0 {
				t.Errorf("%d words begin at %#x", n, at)
			}
			if len(words) != n {
				t.Errorf("%d words of %d", len(words), n)
			}
			for i, word := range words {
				if word != 0 {
					t.Fatalf("word %d of %d is %#x", i, n, word)
				}
				words[i] = ^uint64(0)
			}
			Collapse(words)
			Collapse(words[n/2:])
		}
	}
}
