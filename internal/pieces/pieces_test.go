package pieces

import (
	"testing"

	"github.com/cespare/xxhash/v2"
)

// TestAllRight: once all pieces were checked.
func TestAllRight(t *testing.T) {
	const size = 4096
	body := make([]byte, 2*size+1)
	var sums []uint64
	for i := range 3 {
		sums = append(sums, xxhash.Sum64(piece(body, size, i)))
	}
	p := New(body, size, sums)
	for i := range 3 {
		if p.AllRight() {
			t.Errorf("all pieces are right after %d of 3", i)
		}
		for range 2 { // the second time counts nothing
			if !p.Check(i) {
				t.Errorf("piece %d is wrong", i)
			}
		}
	}
	if _, wrong := p.FirstWrong(); !p.AllRight() || wrong {
		t.Error("not all pieces are right")
	}
}
