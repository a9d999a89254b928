package hashlog

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// check compares a log with the hashes that it promises to keep, in any order once
// it has lists.
func check(t *testing.T, l *Log, want []uint64) {
	t.Helper()
	if l.Len() != len(want) {
		t.Fatalf("Len %d, want %d", l.Len(), len(want))
	}
	got := contents(l)
	if !l.Partitioned() {
		if !slices.Equal(got, want) {
			t.Fatalf("%d other hashes", len(got))
		}
		return
	}
	wanted := vectors.SumOf(want)
	for range 2 { // with and without what is staged
		if vectors.SumOf(got) != wanted {
			t.Fatalf("%d other hashes in lists", len(got))
		}
		l.Flush()
		got = got[:0]
		for list := range Lists {
			n := len(got)
			for hashes := range l.List(list) {
				for _, hash := range hashes {
					if fallback.ListOf(hash) != list {
						t.Fatalf("%#x in list %d", hash, list)
					}
				}
				got = append(got, hashes...)
			}
			if len(got)-n != l.ListLen(list) {
				t.Fatalf("%d hashes in list %d, but its length is %d", len(got)-n, list, l.ListLen(list))
			}
		}
	}
}

// manyProcs lets as many goroutines work as a log may have.
func manyProcs(t *testing.T) {
	old := runtime.GOMAXPROCS(8)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

func TestListsKeepWhatChunksDo(t *testing.T) {
	manyProcs(t)
	r := rand.New(rand.NewPCG(3, 4))
	kinds := []func(int) []uint64{
		func(n int) []uint64 { return vectors.Hashes(r.Uint64(), n) },
		func(n int) []uint64 { return runs(r, n) },
		func(n int) []uint64 { return slices.Repeat(runs(r, 1), n) },
	}
	lengths := []int{0, 1, 2, 63, 64, 65, 1000, fewest - 1, fewest, staged - 1, staged, staged + 1, 10_000, 2*share - 1, 2 * share, 5*share + 17}
	for _, linear := range []int{0, 1, 65, 5000, chunkSize + 1} {
		for _, goroutines := range []int{1, 3, 8} {
			log := New(linear, goroutines)
			l := &log // for all rounds: it must be as new after Reset
			for range 3 {
				var added []uint64
				for range r.IntN(6) {
					piece := kinds[r.IntN(len(kinds))](lengths[r.IntN(len(lengths))])
					if len(added) > 0 && len(piece) > 0 && r.IntN(2) == 0 {
						piece[0] = added[len(added)-1]
					}
					before := slices.Clone(piece)
					if r.IntN(2) == 0 && len(piece) <= 10_000 {
						for _, hash := range piece {
							l.Add(hash)
						}
					} else {
						l.AddAll(piece)
					}
					if !slices.Equal(piece, before) {
						t.Fatal("AddAll changed the caller's hashes")
					}
					clear(piece)
					added = append(added, before...)
					if r.IntN(4) == 0 {
						l.Flush()
					}
				}
				check(t, l, compact(added))
				if l.Len() > linear && !l.Partitioned() {
					t.Fatalf("%d hashes are not in lists", l.Len())
				}
				l.Reset()
				check(t, l, nil)
			}
		}
	}
}

func TestFewHashesAreInNoLists(t *testing.T) {
	l := New(1000, 2)
	for round := range 2 {
		for i, hash := range vectors.Hashes(1, 1001) {
			if l.Partitioned() {
				t.Fatalf("round %d: in lists with %d", round, i)
			}
			l.Add(hash)
		}
		if !l.Partitioned() {
			t.Error("not in lists")
		}
		l.Reset()
	}
}

// TestPieces has repetitions over the borders between pieces.
func TestPieces(t *testing.T) {
	manyProcs(t)
	l := New(0, 7)
	hashes := vectors.Hashes(5, 8*share)
	for i := range hashes {
		if i%piece < 3 {
			hashes[i] = hashes[max(i-i%piece-1, 0)]
		}
	}
	for n := 7 * share; n < len(hashes); n += 1027 {
		l.AddAll(hashes[:n])
		check(t, &l, compact(hashes[:n]))
		l.Reset()
	}
}

func TestOneListOnly(t *testing.T) {
	for _, goroutines := range []int{1, 2} {
		l := New(0, goroutines)
		hashes := vectors.Hashes(6, 500_000)
		for i := range hashes {
			hashes[i] = hashes[i]&^(0x1ff<<fallback.ListShift) | 7<<fallback.ListShift
		}
		l.AddAll(hashes)
		check(t, &l, compact(hashes))
		if n := len(l.lists.source.slabs); n > 1 {
			t.Errorf("%d slabs", n)
		}
	}
}

// TestChunksBecomeLists has small chunks and some that the lists take over.
func TestChunksBecomeLists(t *testing.T) {
	hashes := vectors.Hashes(7, 12*chunkSize)
	l := New(5*chunkSize+1000, 1)
	for range 2 {
		l.AddAll(hashes[:3*chunkSize+5])
		check(t, &l, hashes[:3*chunkSize+5])
		for i := 3*chunkSize + 5; i < len(hashes); i += 1000 {
			l.AddAll(hashes[i:min(i+1000, len(hashes))])
		}
		check(t, &l, hashes)
		if s := &l.lists.source; len(s.chunks) < 6-1 || len(s.chunks) > mostChunks || len(s.slabs) > 0 {
			t.Errorf("%d chunks, %d slabs", len(s.chunks), len(s.slabs))
		}
		l.Reset()
	}
}

// TestListsFromTheFirstHash: a log that keeps none in chunks counts and keeps every hash, also one that is the inverse
// of the one before.
func TestListsFromTheFirstHash(t *testing.T) {
	l := New(0, 1)
	for i := range 10 {
		l.Add(uint64(i))
		if l.Len() != i+1 {
			t.Errorf("%d hashes, want %d", l.Len(), i+1)
		}
	}
	l.Reset()
	hashes := make([]uint64, 2000)
	for i := range hashes {
		hashes[i] = uint64(i/2) ^ -uint64(i%2)
	}
	if l.AddAll(hashes); l.Len() != len(hashes) {
		t.Errorf("%d hashes, want %d", l.Len(), len(hashes))
	}
}
