package batches

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/program"
)

func TestIndexesOfBits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		words := make([]uint64, 1+random.IntN(11))
		for i := range words {
			words[i] = [...]uint64{0, 0, 1 << 63, 1, ^uint64(0), random.Uint64()}[random.IntN(6)]
		}
		// Either these are the last hashes, for which there may be words enough for
		// more, or there are others to come.
		left := [...]int{64 * len(words), random.IntN(64*len(words) + 1), 300 * len(words)}[random.IntN(3)]
		if answered := min(left, 64*len(words)); answered%64 != 0 {
			words[answered/64] &= 1<<(answered%64) - 1
		}
		want := []int{-5}
		for i := range min(left, 64*len(words)) {
			if words[i/64]>>(i%64)&1 != 0 {
				want = append(want, 640+i)
			}
		}
		for _, room := range []int{1, len(want) - 1, len(want), len(want) + 1, 2000} {
			dst := make([]int, 2001)[:1:max(room, 1)]
			dst[0] = -5
			got := AppendIndexes(dst, words, 640, 640+left)
			if !slices.Equal(got, want) {
				t.Fatalf("%x, %d hashes, room for %d: %d, want %d", words, left, room, got, want)
			}
			if stays := &got[0] == &dst[0]; stays != (len(want) <= cap(dst)) {
				t.Fatalf("%d indexes, room for %d: in the same memory is %v", len(want), room, stays)
			}
			if rest := dst[:cap(dst)]; len(want) <= cap(dst) && slices.ContainsFunc(rest[len(want):], func(i int) bool { return i != 0 }) {
				t.Fatalf("%d indexes, room for %d: something was written behind them", len(want), room)
			}
		}
	}
}

// TestRoomForHits has the same number of hits in every stretch: room for all of them is
// allocated with the first.
func TestRoomForHits(t *testing.T) {
	words := []uint64{0xff, 0, 0xf, 1 << 63}
	const perWords, n = 13, 10 * 4 * 64
	dst := AppendIndexes[int](nil, words, 0, n)
	if room := cap(dst); room < 10*perWords || room > 2*10*perWords {
		t.Errorf("room for %d hits, where %d are expected", room, 10*perWords)
	}
	if dst := AppendIndexes[int](nil, words, 0, 4*64); cap(dst) > 2*perWords {
		t.Errorf("room for %d hits, where there are %d", cap(dst), perWords)
	}
	if dst := AppendIndexes[int](nil, make([]uint64, 4), 0, n); dst != nil {
		t.Error("memory was allocated for no hits")
	}
	all := []uint64{math.MaxUint64, math.MaxUint64}
	if dst := AppendIndexes[int](nil, all, 0, 128); cap(dst) >= 200 {
		t.Errorf("room for %d hits, where there are 128", cap(dst))
	}
	full := make([]int, 40)
	// The race detector has slices.Grow allocate twice.
	if n := testing.AllocsPerRun(10, func() { AppendIndexes(full, all[:1], 0, 64) }); n > 1 && !program.Raced {
		t.Errorf("%v allocations for 64 hits behind 40", n)
	}
	for want, words := range [][]uint64{nil, {8}, {1, 1 << 63}} {
		if got := Ones(words); got != want {
			t.Errorf("%x: %d bits are set", words, got)
		}
	}
}
