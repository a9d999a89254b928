package hashlog

import (
	"math/bits"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestSlabs has so many hashes that lists take memory from several huge pages of a slab, and none is in use twice.
func TestSlabs(t *testing.T) {
	hashes := vectors.Hashes(1, mostChunks*chunkSize+3*pageSize)
	l := New(0, 1)
	l.AddAll(hashes)
	if l.Len() != len(hashes) || len(l.lists.source.slabs) != 1 {
		t.Errorf("%d hashes of %d, %d slabs", l.Len(), len(hashes), len(l.lists.source.slabs))
	}
	var want, got uint64
	for _, hash := range hashes {
		want += hash
	}
	for some := range l.All() {
		for _, hash := range some {
			got += hash
		}
	}
	if got != want {
		t.Error("other hashes")
	}
}

// TestMixedRepetitions: hashes that are mixed are kept unless they equal the one before, also the one of the call
// before.
func TestMixedRepetitions(t *testing.T) {
	mix := func(dst, hashes []uint64) {
		for i, hash := range hashes {
			dst[i] = bits.ReverseBytes64(hash)
		}
	}
	hashes := vectors.Hashes(2, 2*fewest)
	l := New(0, 1)
	l.MixInLists(Mix{mix, mix})
	l.AddAll(hashes)
	l.AddAll(hashes[len(hashes)-1:])
	l.AddAll(append(hashes[len(hashes)-1:len(hashes):len(hashes)], hashes[:fewest]...)) // the newest again, then others
	l.AddAll(hashes)
	if want := 2*len(hashes) + fewest; l.Len() != want {
		t.Errorf("%d hashes, want %d", l.Len(), want)
	}
}
