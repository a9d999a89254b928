package hashlog

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// compact returns the hashes that a Log promises to keep.
func compact(hashes []uint64) []uint64 { return slices.Compact(slices.Clone(hashes)) }

// newLinear returns a log that never makes lists.
func newLinear() *Log {
	l := New(math.MaxInt, 1)
	return &l
}

func contents(l *Log) []uint64 {
	var all []uint64
	for chunk := range l.All() {
		all = append(all, chunk...)
	}
	return all
}

// runs returns hashes with many adjacent repetitions, some of them long.
func runs(r *rand.Rand, n int) []uint64 {
	hashes := make([]uint64, 0, n)
	for len(hashes) < n {
		h := r.Uint64() >> (r.IntN(2) * 63)
		for range 1 + r.IntN(1+r.IntN(5)) {
			hashes = append(hashes, h)
		}
	}
	return hashes[:n]
}

func TestKeepsAllButAdjacentRepetitions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	l := newLinear() // one for all rounds: it must be as new after Reset
	for round := range 300 {
		var added []uint64
		for range r.IntN(6) {
			piece := runs(r, r.IntN(300))
			if r.IntN(2) == 0 {
				l.AddAll(piece)
			} else {
				for _, h := range piece {
					l.Add(h)
				}
			}
			added = append(added, piece...)
		}
		if got, want := contents(l), compact(added); !slices.Equal(got, want) || l.Len() != len(want) {
			t.Fatalf("round %d: %d hashes kept, Len %d, want %d", round, len(got), l.Len(), len(want))
		}
		l.Reset()
		if l.Len() != 0 || len(contents(l)) != 0 {
			t.Fatal("not empty after Reset")
		}
	}
}

func TestRepetitionsAcrossChunkEdges(t *testing.T) {
	for _, n := range []int{0, 1, smallest - 1, smallest, smallest + 1, 2 * smallest, 1024, chunkSize - 1, chunkSize, chunkSize + 1, 3 * chunkSize} {
		distinct := make([]uint64, n)
		for i := range distinct {
			distinct[i] = uint64(i) * 0x9e3779b97f4a7c15
		}
		for _, addAgain := range []func(*Log, []uint64){
			func(l *Log, hs []uint64) { l.AddAll(hs) },
			func(l *Log, hs []uint64) {
				for _, h := range hs {
					l.Add(h)
				}
			},
		} {
			l := newLinear()
			l.AddAll(distinct)
			if n > 0 {
				addAgain(l, slices.Repeat(distinct[n-1:], 3))
			}
			if l.Len() != n {
				t.Errorf("%d hashes and repetitions of the last: Len %d", n, l.Len())
			}
			addAgain(l, []uint64{1, 1, 2, 2, 1})
			if got, want := contents(l), append(slices.Clone(distinct), 1, 2, 1); !slices.Equal(got, want) {
				t.Errorf("%d hashes and 1, 1, 2, 2, 1: %d kept", n, len(got))
			}
			l.Reset()
		}
	}
}

func TestAddsEqualHashesWithoutKeepingThem(t *testing.T) {
	l := newLinear()
	l.AddAll(make([]uint64, 10*chunkSize))
	if l.Len() != 1 || cap(l.last) > smallest {
		t.Errorf("Len %d in a chunk of %d", l.Len(), cap(l.last))
	}
}

func TestChunksWasteLittle(t *testing.T) {
	l := newLinear()
	for i := range uint64(1_000_000) {
		l.Add(i)
		if l.Len() == 1000 || l.Len() == 100_000 || l.Len() == 1_000_000 {
			held := 0
			for _, chunk := range l.chunks.inSize {
				held += cap(chunk)
			}
			if wasted := held - l.Len(); wasted > min(l.Len(), chunkSize) {
				t.Errorf("%d hashes: room for %d more", l.Len(), wasted)
			}
		}
	}
	if got := contents(l); len(got) != 1_000_000 || got[999_999] != 999_999 {
		t.Errorf("%d hashes yielded", len(got))
	}
}

func TestAllStopsWhenToldTo(t *testing.T) {
	l := newLinear()
	for i := range uint64(1000) {
		l.Add(i)
	}
	chunks := 0
	for range l.All() {
		chunks++
		break
	}
	if chunks != 1 {
		t.Errorf("%d chunks after break", chunks)
	}
}
