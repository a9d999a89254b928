package asm_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

func TestPartitioning(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		hashes := vectors.Hashes(11, 50_000)
		hashes[0], hashes[700] = 7, hashes[699]
		got, want := openLists(), openLists()
		before := uint64(7)
		for at := 0; at < len(hashes); {
			taken, kept := asm.Partition(got, before, hashes[at:])
			if taken == 0 {
				t.Fatal("no hashes taken")
			}
			// The kernel may stop earlier, and goes on from there.
			wantTaken, wantKept := fallback.Partition(want, before, hashes[at:at+taken])
			if taken != wantTaken || kept != wantKept {
				t.Fatalf("from %d: %d taken, %d kept; want %d, %d", at, taken, kept, wantTaken, wantKept)
			}
			at += taken
			before = hashes[at-1]
			list := fallback.ListOf(before)
			if full := want[list].Len == fallback.SegmentSize; !full && taken < 1<<12 && at < len(hashes) {
				t.Errorf("stopped after %d", taken)
			}
			for i := range got {
				if got[i].Len != want[i].Len || *got[i].Segment != *want[i].Segment {
					t.Fatalf("other hashes in list %d", i)
				}
			}
			if want[list].Len == fallback.SegmentSize {
				got[list] = fallback.OpenList{Segment: new(fallback.Segment)}
				want[list] = fallback.OpenList{Segment: new(fallback.Segment)}
			}
		}
	})
}

func openLists() *[fallback.Lists]fallback.OpenList {
	var lists [fallback.Lists]fallback.OpenList
	for i := range lists {
		lists[i].Segment = new(fallback.Segment)
	}
	return &lists
}

func TestPartitionWantsRoom(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, flaw := range []fallback.OpenList{
			{Segment: nil},
			{Segment: new(fallback.Segment), Len: fallback.SegmentSize},
			{Segment: new(fallback.Segment), Len: -1},
			{Segment: new(fallback.Segment), Len: 1 << 30},
		} {
			for _, list := range []int{0, 100, fallback.Lists - 1} {
				for _, before := range []int{0, 1, 50} {
					lists := openLists()
					lists[list] = flaw
					other := uint64((list+1)%fallback.Lists) << fallback.ListShift
					var hashes []uint64
					for i := range before {
						hashes = append(hashes, other+uint64(i))
					}
					hashes = append(hashes, uint64(list)<<fallback.ListShift)
					func() {
						defer func() {
							if recover() == nil {
								t.Errorf("no panic for list %d of length %d", list, flaw.Len)
							}
						}()
						taken, _ := asm.Partition(lists, 1, hashes)
						if taken == before { // it may stop there first
							asm.Partition(lists, 1, hashes[taken:])
						}
					}()
				}
			}
		}
	})
}
