package answers

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/vectors"
)

func TestIndexesOfBits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		words := make([]uint64, random.IntN(12))
		for i := range words {
			words[i] = [...]uint64{0, 0, 1 << 63, 1, ^uint64(0), random.Uint64()}[random.IntN(6)]
		}
		want := []int{-5}
		for i := range 64 * len(words) {
			if words[i/64]>>(i%64)&1 != 0 {
				want = append(want, 640+i)
			}
		}
		if got := ones(words); got != len(want)-1 {
			t.Fatalf("%x: %d ones, want %d", words, got, len(want)-1)
		}
		for _, room := range []int{1, len(want) - 1, len(want), len(want) + 1, 2000} {
			dst := make([]int, 2001)[:1:max(room, 1)]
			dst[0] = -5
			got := appendIndexes(dst, words, 640, 3)
			if !slices.Equal(got, want) {
				t.Fatalf("%x, room for %d: %d, want %d", words, room, got, want)
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

// readers returns those of filters that contain some, none and all of the hashes.
func readers(n int) (all map[string]Reader, hashes []uint64) {
	body := make([]byte, 1<<16)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range body {
		body[i] = byte(random.Uint32())
	}
	return map[string]Reader{
		"FastLocal": FastLocal(body, 1),
		"paired":    Paired(body, 32, 2),
		"no":        Always(false),
		"yes":       Always(true),
	}, vectors.Hashes(5, n)
}

// TestHitsAreAllocatedOnce asks as many hashes as several stretches.
func TestHitsAreAllocatedOnce(t *testing.T) {
	all, hashes := readers(10*longStretch + 77)
	for name, r := range all {
		want := []int(nil)
		for i, hash := range hashes {
			if r.contains(hash) {
				want = append(want, i)
			}
		}
		if got := r.AppendHits(nil, hashes); !slices.Equal(got, want) {
			t.Errorf("%s: other hits than of single queries", name)
		}
		most := 0.0
		if len(want) > 0 {
			most = 2 // a second time if there are more in later stretches than in the first
		}
		if allocs := testing.AllocsPerRun(5, func() { r.AppendHits(nil, hashes) }); allocs > most {
			t.Errorf("%s: %v allocations", name, allocs)
		}
		room := make([]int, 0, len(want))
		if allocs := testing.AllocsPerRun(5, func() { r.AppendHits(room, hashes) }); allocs != 0 {
			t.Errorf("%s: %v allocations where there was room", name, allocs)
		}
	}
}

func TestAll(t *testing.T) {
	all, hashes := readers(3*longStretch + 5)
	for name, r := range all {
		contained := slices.DeleteFunc(slices.Clone(hashes), func(hash uint64) bool { return !r.contains(hash) })
		if !r.All(contained) || !r.All(nil) {
			t.Errorf("%s: not all of those that it contains", name)
		}
		for _, at := range []int{0, 1, 63, 64, longStretch - 1, longStretch, len(hashes) - 1} {
			if got := r.All(hashes[at : at+1]); got != r.contains(hashes[at]) {
				t.Errorf("%s: All of one hash is %v", name, got)
			}
			some := slices.Clone(contained)
			if at < len(some) && len(contained) < len(hashes) {
				some[at] = hashes[slices.IndexFunc(hashes, func(hash uint64) bool { return !r.contains(hash) })]
				if r.All(some) {
					t.Errorf("%s: all, but hash %d is absent", name, at)
				}
			}
		}
	}
}
