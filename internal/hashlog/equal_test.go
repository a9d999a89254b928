package hashlog

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// addInPieces adds hashes by AddAll and Add in turn.
func addInPieces(r *rand.Rand, l *Log, hashes []uint64) {
	for len(hashes) > 0 {
		n := min(1+r.IntN(2*fewest), len(hashes))
		if r.IntN(2) == 0 {
			l.AddAll(hashes[:n])
		} else {
			for _, hash := range hashes[:n] {
				l.Add(hash)
			}
		}
		hashes = hashes[n:]
	}
}

// TestKeepEqual keeps equal hashes in order, across the edges of chunks, and so after Reset.
func TestKeepEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	l := newLinear()
	l.KeepEqual()
	for _, n := range []int{0, 1, 2, smallest - 1, smallest, smallest + 1, 1000, fewest, chunkSize, chunkSize + 1, 3 * chunkSize} {
		for _, hashes := range [][]uint64{make([]uint64, n), slices.Repeat([]uint64{7}, n), runs(r, n)} {
			for name, add := range map[string]func(){
				"AddAll": func() { l.AddAll(hashes) },
				"Add": func() {
					for _, hash := range hashes {
						l.Add(hash)
					}
				},
				"both": func() { addInPieces(r, l, hashes) },
			} {
				if add(); l.Len() != n || !slices.Equal(contents(l), hashes) {
					t.Fatalf("%s: %d of %d hashes are kept, or others", name, l.Len(), n)
				}
				l.Reset()
			}
		}
	}
}

// TestCountOnly counts every hash, equal ones too, in the memory of the first chunk.
func TestCountOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	log := New(math.MaxInt, 1)
	l := &log
	l.CountOnly()
	for range 3 {
		n := 0
		for range 200 {
			hashes := runs(r, r.IntN(5000))
			addInPieces(r, l, hashes)
			if n += len(hashes); l.Len() != n {
				t.Fatalf("%d hashes are counted as %d", n, l.Len())
			}
		}
		if cap(l.last) > smallest || len(l.chunks.inSize) > 1 {
			t.Errorf("%d chunks", len(l.chunks.inSize))
		}
		if l.Reset(); l.Len() != 0 {
			t.Errorf("%d hashes after Reset", l.Len())
		}
	}
}

// TestPassOn gives away all hashes that a log would keep, in order, and counts them, also where it has given them away.
func TestPassOn(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	log := New(math.MaxInt, 1)
	l := &log
	var passed []uint64
	l.PassOn(func(hashes []uint64) { passed = append(passed, hashes...) })
	for range 3 {
		var want []uint64
		for range 50 {
			hashes := runs(r, r.IntN(5000))
			addInPieces(r, l, hashes)
			if want = slices.Compact(append(want, hashes...)); l.Len() != len(want) {
				t.Fatalf("%d hashes are counted as %d", len(want), l.Len())
			}
		}
		if l.Flush(); l.Len() != len(want) || !slices.Equal(passed, want) {
			t.Fatalf("%d of %d hashes were passed on, and %d counted", len(passed), len(want), l.Len())
		}
		passed = passed[:0]
		if l.Reset(); l.Len() != 0 {
			t.Errorf("%d hashes after Reset", l.Len())
		}
	}
}

// TestMoreThanAnIntCounts: logs that keep no hashes accept more than an int of 32 bits counts, and count no further.
func TestMoreThanAnIntCounts(t *testing.T) {
	hashes := make([]uint64, 2*fewest)
	for i := range hashes {
		hashes[i] = uint64(i)
	}
	passed := 0
	for name, begin := range map[string]func(l *Log){
		"CountOnly": (*Log).CountOnly,
		"PassOn":    func(l *Log) { l.PassOn(func(hashes []uint64) { passed += len(hashes) }) },
	} {
		for _, left := range []int{0, 1, fewest, 3 * fewest, chunkSize, 2 * chunkSize} {
			l := New(math.MaxInt, 1)
			begin(&l)
			l.AddAll(hashes)
			l.n, passed = math.MaxInt-left-len(l.last), 0
			for range 64 {
				l.AddAll(hashes)
				l.Add(^uint64(0))
			}
			l.Flush()
			if l.Len() < mostCounted || l.Partitioned() {
				t.Errorf("%s, %d left: %d hashes are counted", name, left, l.Len())
			}
			if want := 64 * (len(hashes) + 1); name == "PassOn" && passed < want {
				t.Errorf("%d hashes are passed on of %d", passed, want)
			}
		}
	}
}
