package buildtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
)

// runs returns hashes of which many repeat the one before: here and there, at multiples of
// powers of two, and in long runs. The first ones repeat a given hash.
func runs(r *rand.Rand, before uint64, n int) []uint64 {
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = before
		if i > 2 && r.IntN(8) != 0 && i&1023 != 0 {
			hashes[i] = r.Uint64()
		}
		before = hashes[i]
	}
	if long := r.IntN(n); r.IntN(3) == 0 {
		for i := n - long; i < n; i++ { // so that it ends with the same as the next begins
			hashes[i] = hashes[n-long]
		}
	}
	return hashes
}

// TestPieces adds hashes in pieces of all sizes, some of them alone, and changes
// each piece as soon as it has been added.
func TestPieces(t *testing.T) {
	enoughProcs(t)
	for turn, k := range kinds {
		longest := unlessSlow(600_000, 150_000)
		if k.batch == inLines || k.batch == inColumns { // building takes long
			longest = min(longest, 300_000)
		}
		most := math.Log(float64(longest))
		r := rand.New(rand.NewPCG(uint64(turn), 7))
		pieces, all := make([][]uint64, 20), []uint64{}
		before := uint64(0)
		for i := range pieces {
			n := int(math.Exp(r.Float64() * most))
			if i == 10 {
				n = int(math.Exp(most))
			}
			pieces[i] = runs(r, before, max(n, 1))
			before = pieces[i][len(pieces[i])-1]
			all = append(all, pieces[i]...)
		}
		kept := slices.Compact(all)
		want := k.plain(kept)
		for _, s := range fewSettings(turn) {
			addPieces(t, k, s, pieces, len(kept), want)
		}
	}
}

func addPieces(t *testing.T, k kind, s setting, pieces [][]uint64, kept int, want []byte) {
	t.Helper()
	defer s.limit()()
	b := k.verifying(t, s.concurrency)
	for i, piece := range pieces {
		if i%4 == 3 && len(piece) < 1000 {
			for _, hash := range piece {
				b.AddHash(hash)
			}
			continue
		}
		passed := slices.Clone(piece)
		b.AddHashes(passed)
		for i := range passed {
			passed[i] = ^passed[i]
		}
	}
	if b.Len() != kept {
		t.Errorf("%s, %v: %d hashes kept, want %d", k.name, s, b.Len(), kept)
	}
	same(t, finish(t, b), want, "%s, %v, %d pieces", k.name, s, len(pieces))
}

// TestRepetitionsAcrossCalls repeats the last hash of a call in the next ones, with numbers
// of hashes around all limits of a log.
func TestRepetitionsAcrossCalls(t *testing.T) {
	enoughProcs(t)
	sizes := []int{1, 2, 64, 128, 1024, 4096, 1 << 16}
	if !slow() {
		sizes = append(sizes, 1<<17, 1<<18, 1<<19, 1<<20, 3<<19)
	}
	distinct := vectors.Hashes(46, sizes[len(sizes)-1]+2)
	turn := 0
	for _, size := range sizes {
		for n := max(1, size-1); n <= size+1; n++ {
			turn++
			k, s := kinds[turn%len(kinds)], oneSetting(turn)
			restore := s.limit()
			b, last := k.builder(t, s.concurrency), distinct[n-1]
			b.AddHashes(distinct[:n])
			b.AddHashes(nil)
			b.AddHashes([]uint64{last})
			b.AddHash(last)
			b.AddHashes(slices.Repeat([]uint64{last}, n))
			if b.Len() != n {
				t.Errorf("%s, %v, %d hashes and the last again: Len %d", k.name, s, n, b.Len())
			}
			b.AddHashes(slices.Concat([]uint64{last, last}, distinct[:n], distinct[n-1:n+1]))
			kept := slices.Compact(slices.Concat(distinct[:n], distinct[:n+1]))
			if b.Len() != len(kept) {
				t.Errorf("%s, %v, %d hashes, all again and one: Len %d, want %d", k.name, s, n, b.Len(), len(kept))
			}
			same(t, finish(t, b), k.plain(kept), "%s, %v, %d hashes with repetitions", k.name, s, n)
			restore()
		}
	}
}

// TestRepetitionsInsideACall repeats hashes wherever several goroutines may have
// cut a slice, or chunks end.
func TestRepetitionsInsideACall(t *testing.T) {
	enoughProcs(t)
	n := unlessSlow(1_200_003, 100_003)
	distinct := vectors.Hashes(47, n)
	for turn, length := range []int{2, 70_000} {
		hashes := slices.Clone(distinct)
		repeat := func(at int) {
			for i := max(at-length/2, 1); i < min(at+length/2, n); i++ {
				hashes[i] = hashes[i-1]
			}
		}
		for _, goroutines := range concurrencies {
			for i := range goroutines {
				repeat(n * i / goroutines)
				repeat((n + goroutines - 1) / goroutines * i)
			}
		}
		for at := 0; at < n && length == 2; at += 256 {
			repeat(at)
		}
		kept := slices.Compact(slices.Clone(hashes))
		for i, k := range kinds {
			want := k.plain(kept)
			for j, s := range someSettings(i) {
				if (i+j+turn)%2 == 0 { // the others with the other length
					addPieces(t, k, s, [][]uint64{hashes}, len(kept), want)
				}
			}
		}
	}
	for i, s := range someSettings(0) {
		k := kinds[i%len(kinds)]
		addPieces(t, k, s, [][]uint64{make([]uint64, n), make([]uint64, n)}, 1, k.plain([]uint64{0}))
	}
}

// TestOneByOne adds each key alone, as most callers do.
func TestOneByOne(t *testing.T) {
	enoughProcs(t)
	for i, k := range kinds {
		keys := vectors.Keys("le64", 0, k.manyHashes())
		want := k.plain(keyhash.XX64.AppendHashes(nil, keys))
		for j, s := range fewSettings(i) {
			restore := s.limit()
			b := k.builder(t, s.concurrency)
			for _, key := range keys {
				for range 1 + j%2 {
					b.Add(key)
				}
			}
			same(t, finish(t, b), want, "%s, %v, key by key", k.name, s)
			restore()
		}
	}
}
