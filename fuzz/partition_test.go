package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// lists are the lists that a kernel and fallback fill: the ends of all lists, with segments
// in a row between unreadable pages.
type lists struct {
	open, truth      *[fallback.Lists]fallback.OpenList
	memory, trueOnes []byte
}

func newLists(f *testing.F) *lists {
	const size = 8 * fallback.Lists * fallback.SegmentSize
	memory := testmem.Between(f, size)
	l := &lists{new([fallback.Lists]fallback.OpenList), new([fallback.Lists]fallback.OpenList), memory[len(memory)-size:], make([]byte, size)}
	segments, trueOnes := testmem.Words(l.memory), testmem.Words(l.trueOnes)
	for i := range l.open {
		l.open[i].Segment = (*fallback.Segment)(segments[i*fallback.SegmentSize:])
		l.truth[i].Segment = (*fallback.Segment)(trueOnes[i*fallback.SegmentSize:])
	}
	return l
}

// check copies hashes, and puts them into lists that have some already. First it changes the
// hashes by a piece: it repeats some, and moves some to one list.
func (l *lists) check(t *testing.T, hashes []uint64, seed byte, piece []byte) {
	t.Helper()
	for i := 1; i < len(hashes) && len(piece) > 0; i++ {
		switch how := piece[i/2%len(piece)]; {
		case how&7 == 7:
			hashes[i] = hashes[i-1]
		case how&1 != 0:
			hashes[i] = hashes[i]&^(1<<32-1<<fallback.ListShift) | uint64(seed)<<fallback.ListShift
		}
	}
	for i := range l.open {
		l.open[i].Len = (i*i*int(seed) + i) % fallback.SegmentSize
		l.truth[i].Len = l.open[i].Len
	}
	room, want := make([]uint64, len(hashes)), make([]uint64, len(hashes))
	kept, truly := asm.CopyUnequal(room, uint64(seed), hashes), fallback.CopyUnequal(want, uint64(seed), hashes)
	if kept != truly || !slices.Equal(room[:kept], want[:kept]) {
		t.Fatalf("%d hashes copied, or others, want %d", kept, truly)
	}
	before, original := uint64(seed), slices.Clone(hashes)
	for rest := hashes; len(rest) > 0; {
		taken, kept := asm.Partition(l.open, before, rest)
		if taken < 1 || taken > len(rest) {
			t.Fatalf("%d of %d hashes taken", taken, len(rest))
		}
		// The kernel may stop earlier, and goes on from there.
		trulyTaken, trulyKept := fallback.Partition(l.truth, before, rest[:taken])
		if taken != trulyTaken || kept != trulyKept {
			t.Fatalf("%d hashes taken, %d kept; want %d, %d", taken, kept, trulyTaken, trulyKept)
		}
		before, rest = rest[taken-1], rest[taken:]
		list := fallback.ListOf(before)
		if l.open[list].Len != l.truth[list].Len {
			t.Fatalf("%d hashes in list %d, want %d", l.open[list].Len, list, l.truth[list].Len)
		}
		if l.truth[list].Len == fallback.SegmentSize {
			l.open[list].Len, l.truth[list].Len = 0, 0
		}
	}
	for i := range l.open {
		if l.open[i].Len != l.truth[i].Len {
			t.Fatalf("%d hashes in list %d, want %d", l.open[i].Len, i, l.truth[i].Len)
		}
	}
	if !bytes.Equal(l.memory, l.trueOnes) || !slices.Equal(hashes, original) {
		t.Fatal("other hashes in the lists, or read-only memory has changed")
	}
}
