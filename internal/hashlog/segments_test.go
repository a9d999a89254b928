package hashlog

import (
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
)

// TestSegmentsNearlyFull ends additions when a list's segment is nearly or just full.
func TestSegmentsNearlyFull(t *testing.T) {
	l := New(0, 1)
	for _, segments := range []int{1, 2} {
		for n := segments*fallback.SegmentSize - 3; n <= segments*fallback.SegmentSize+3; n++ {
			var hashes []uint64
			for i := range n {
				hashes = append(hashes, uint64(i+1)<<32|3<<fallback.ListShift)
			}
			for range 2 {
				l.AddAll(hashes)
				check(t, &l, hashes)
				l.Flush()
				l.AddAll([]uint64{5 << fallback.ListShift})
				check(t, &l, append(hashes[:n:n], 5<<fallback.ListShift))
				l.Reset()
			}
		}
	}
}

// TestChunksAreNotKeptBeside tests that lists use the chunks that they took over before
// they take memory from elsewhere.
func TestChunksAreNotKeptBeside(t *testing.T) {
	const full = 18
	l := New(full*chunkSize, 1)
	r := uint64(1)
	for range full*chunkSize + 1 {
		r = r*6364136223846793005 + 1442695040888963407
		l.Add(r<<32 | r>>32)
	}
	l.Flush()
	// Besides the hashes: the small chunks, an open segment for each list, and the
	// rest behind the last whole segment.
	s := &l.lists.source
	if most := full + 1 + Lists*fallback.SegmentSize/chunkSize + 2; len(s.chunks) > most || len(s.slabs) > 0 {
		t.Errorf("%d chunks and %d slabs for %d chunks of hashes", len(s.chunks), len(s.slabs), full)
	}
}
