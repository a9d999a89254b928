package fallback

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	for round := range 300 {
		hashes := randomHashes(uint64(round), r.IntN(3*SegmentSize))
		for i := range hashes {
			if round%3 == 0 {
				hashes[i] &= 0xffff
			}
			if i > 0 && r.IntN(4) == 0 {
				hashes[i] = hashes[i-1]
			}
		}
		var lists [Lists]OpenList
		var want [Lists][]uint64
		for i := range lists {
			lists[i] = OpenList{new(Segment), r.IntN(SegmentSize)}
			want[i] = slices.Clone(lists[i].Segment[:lists[i].Len])
		}
		before, wantKept, wantTaken := r.Uint64(), 0, len(hashes)
		if round%2 == 0 && len(hashes) > 0 {
			before = hashes[0]
		}
		last := before
		for i, hash := range hashes {
			list := ListOf(hash)
			if hash != last {
				want[list] = append(want[list], hash)
				wantKept++
			}
			last = hash
			if len(want[list]) == SegmentSize {
				wantTaken = i + 1
				break
			}
		}
		taken, kept := Partition(&lists, before, hashes)
		if taken != wantTaken || kept != wantKept {
			t.Fatalf("round %d: %d hashes taken, %d kept; want %d, %d", round, taken, kept, wantTaken, wantKept)
		}
		for i, list := range lists {
			if !slices.Equal(list.Segment[:list.Len], want[i]) {
				t.Fatalf("round %d: other hashes in list %d", round, i)
			}
		}
	}
}
