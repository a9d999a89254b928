package buildtest

import (
	"bytes"
	"slices"
	"sync"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestAppended appends filters at many places of the caller's memory, which is not zero
// and goes on behind the filter.
func TestAppended(t *testing.T) {
	enoughProcs(t)
	turn := 0
	for i, k := range kinds {
		hashes := vectors.Hashes(48, unlessSlow(1_000_000, k.manyHashes()))
		for _, n := range []int{0, 1, 1000, len(hashes)} {
			want := k.plain(hashes[:n])
			for j, offset := range []int{0, 1, 3, 63, 64, 4097} {
				for m, room := range []int{0, len(want) - 1, len(want), len(want) + 200} {
					turn++
					if n == len(hashes) && (i+j+m)%4 != 0 {
						continue // large ones have each two of the three together
					}
					appendFilter(t, k, oneSetting(turn), hashes[:n], want, offset, max(room, 0))
				}
			}
		}
	}
}

func appendFilter(t *testing.T, k kind, s setting, hashes []uint64, want []byte, offset, room int) {
	t.Helper()
	defer s.limit()()
	memory := bytes.Repeat([]byte{0xa5}, offset+room)
	b := k.builder(t, s.concurrency)
	b.AddHashes(hashes)
	size := b.SizeBytes()
	got, err := b.AppendFinish(memory[:offset])
	if err != nil {
		t.Fatal(err)
	}
	if b.Len() != 0 || len(got) < offset {
		t.Fatalf("%s, %v: Len %d after AppendFinish gave %d bytes", k.name, s, b.Len(), len(got))
	}
	same(t, got[offset:], want, "%s, %v, %d hashes, at %d with room for %d", k.name, s, len(hashes), offset, room)
	if bytes.Count(got[:offset], []byte{0xa5}) != offset {
		t.Errorf("%s, %v: AppendFinish wrote before the filter", k.name, s)
	}
	if room < size {
		if bytes.Count(memory, []byte{0xa5}) != len(memory) {
			t.Errorf("%s, %v: AppendFinish wrote to memory that is too short", k.name, s)
		}
		return
	}
	if len(want) > 0 && &got[:offset+1][offset] != &memory[:offset+1][offset] {
		t.Errorf("%s, %v: AppendFinish made memory where there was enough", k.name, s)
	}
	if behind := memory[offset+len(want):]; bytes.Count(behind, []byte{0xa5}) != len(behind) {
		t.Errorf("%s, %v: AppendFinish wrote behind the filter", k.name, s)
	}
}

// TestBuildersAreAsNew builds filters with a builder that has held more hashes, or others,
// before.
func TestBuildersAreAsNew(t *testing.T) {
	enoughProcs(t)
	for i, k := range kinds {
		large := vectors.Hashes(49, 2*k.manyHashes())
		middle, small := large[:len(large)/2], large[:100]
		wantMiddle, wantSmall, wantNone := k.plain(middle), k.plain(small), k.plain(nil)
		for _, s := range fewSettings(i) {
			restore := s.limit()
			b := k.builder(t, s.concurrency)
			check := func(hashes []uint64, want []byte, after string) {
				t.Helper()
				b.AddHashes(hashes)
				if b.Len() != len(hashes) || !k.sized(b.SizeBytes(), len(want)) {
					t.Errorf("%s, %v, after %s: Len %d, SizeBytes %d", k.name, s, after, b.Len(), b.SizeBytes())
				}
				same(t, finish(t, b), want, "%s, %v, %d hashes after %s", k.name, s, len(hashes), after)
			}
			b.AddHashes(large)
			b.Reset()
			check(small, wantSmall, "many were dropped")
			check(middle, wantMiddle, "few")
			check(nil, wantNone, "many")
			check(small, wantSmall, "none")
			b.AddHashes(large[:len(large)/3])
			b.AddHash(1)
			b.Reset()
			b.Reset()
			// The last hash before Reset is no repetition after it.
			b.AddHashes(small[:1])
			b.Reset()
			check(middle, wantMiddle, "the same hash was dropped")
			check(middle, wantMiddle, "as many")
			restore()
		}
	}
}

// TestBuildersSideBySide runs builders that may pass memory to each other, and compares the
// filters when all are built.
func TestBuildersSideBySide(t *testing.T) {
	enoughProcs(t)
	const rounds = 3
	wants, built := make([][rounds][]byte, 2*len(kinds)), make([][rounds][]byte, 2*len(kinds))
	hashes := vectors.Hashes(50, 1_200_000)
	of := func(k kind, round int) []uint64 {
		return hashes[round*50_000:][:k.manyHashes()]
	}
	for i, k := range kinds {
		for round := range rounds {
			wants[i][round] = k.plain(of(k, round))
			wants[i+len(kinds)][round] = wants[i][round]
		}
	}
	var running sync.WaitGroup
	for i := range built {
		k := kinds[i%len(kinds)]
		b := k.builder(t, 1+i%4)
		running.Add(1)
		go func() {
			defer running.Done()
			for round := range rounds {
				for piece := range slices.Chunk(of(k, round), 150_000) {
					b.AddHashes(piece)
				}
				data, err := b.Finish()
				if err != nil {
					t.Error(err)
				}
				built[i][round] = data
			}
		}()
	}
	running.Wait()
	for i := range built {
		for round, data := range built[i] {
			same(t, data, wants[i][round], "builder %d, round %d", i, round)
		}
	}
}
