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
	read := 0
	p.ReadBy(func(part []byte) { read += len(part) })
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
	if read != len(body) {
		t.Errorf("%d bytes are read, of %d", read, len(body))
	}
}

// TestWrongPieces: each is found once, the first one that was found is told, and whether any byte from one on is wrong.
func TestWrongPieces(t *testing.T) {
	const size = 4096
	body := make([]byte, 3*size)
	for wrong := range 3 {
		sums := []uint64{xxhash.Sum64(body[:size]), xxhash.Sum64(body[:size]), xxhash.Sum64(body[:size])}
		sums[wrong]++
		p := New(body, size, sums)
		read := 0
		p.ReadBy(func(part []byte) { read += len(part) })
		if from := (wrong+1)*size - 1; p.CheckFrom(from) {
			t.Errorf("piece %d is wrong, and the bytes from %d on are right", wrong, from)
		}
		for range 2 {
			if p.CheckAll() || p.AllRight() || p.Check(wrong) {
				t.Errorf("piece %d is wrong, and all are right", wrong)
			}
		}
		if i, found := p.FirstWrong(); i != wrong || !found || read != len(body) {
			t.Errorf("piece %d is wrong, and %d is told: %d bytes are read", wrong, i, read)
		}
	}
	right := New(body[:size], size, []uint64{xxhash.Sum64(body[:size])})
	if !right.CheckAll() || !right.CheckFrom(size-1) || right.Size() != size {
		t.Error("a right piece is wrong")
	}
}
