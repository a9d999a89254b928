package hashlog

import (
	"runtime"
	"testing"
	"weak"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestAnEmptyLogHoldsNoLargeMemory keeps a log after its memory went back to the pools: what
// the pools then drop must be free.
func TestAnEmptyLogHoldsNoLargeMemory(t *testing.T) {
	manyProcs(t)
	for _, linear := range []int{1 << 30, 5 * chunkSize, 0} {
		l := New(linear, 3)
		for range 2 {
			l.AddAll(vectors.Hashes(9, 4*chunkSize))
			l.AddAll(vectors.Hashes(10, 3_000_000))
			var held []weak.Pointer[uint64]
			for _, hashes := range l.chunks.inSize {
				if cap(hashes) >= pooled {
					held = append(held, weak.Make(&hashes[:1][0]))
				}
			}
			if l.lists != nil {
				for _, chunk := range l.lists.source.chunks {
					held = append(held, weak.Make(&chunk[0]))
				}
				for _, slab := range l.lists.source.slabs {
					held = append(held, weak.Make(&slab[0]))
				}
			}
			if len(held) < 8 {
				t.Fatalf("linear %d: %d chunks and slabs", linear, len(held))
			}
			l.Reset()
			for range 3 { // pools keep what they have for a second cycle
				runtime.GC()
			}
			for _, p := range held {
				if p.Value() != nil {
					t.Errorf("linear %d: the empty log holds memory", linear)
					break
				}
			}
			runtime.KeepAlive(&l)
		}
	}
}

// TestGoroutinesAfterReset tests that a reused log shares its work out as before.
func TestGoroutinesAfterReset(t *testing.T) {
	manyProcs(t)
	l := New(0, 3)
	hashes := vectors.Hashes(9, 3*share)
	for round := range 2 {
		l.AddAll(hashes)
		if shards := len(l.lists.shards); shards != 3 {
			t.Errorf("round %d: %d goroutines put hashes into lists", round, shards)
		}
		l.Reset()
		l.lists = nil // with its shards
	}
}
