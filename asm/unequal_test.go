package asm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// Hashes and room end where no page follows, and hashes begin behind such a place, too, by
// turns.
func TestCopyUnequal(t *testing.T) {
	const most = 3 << 14 // more than a kernel copies in a call
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		from, to := testmem.Words(testmem.Between(t, 8*most)), testmem.Words(testmem.Between(t, 8*most))
		check := func(n, oneIn int) {
			t.Helper()
			for _, hashes := range [][]uint64{from[:n], from[len(from)-n:]} {
				before := random.Uint64()
				last := before
				for i := range hashes {
					if random.IntN(oneIn) > 0 {
						last = random.Uint64()
					}
					hashes[i] = last
				}
				original, want := slices.Clone(hashes), make([]uint64, n)
				room := to[len(to)-n:]
				kept, wantKept := asm.CopyUnequal(room, before, hashes), fallback.CopyUnequal(want, before, original)
				if kept != wantKept || !slices.Equal(room[:kept], want[:kept]) {
					t.Fatalf("%d hashes, one in %d as before: %d copied, or others; want %d", n, oneIn, kept, wantKept)
				}
				if !slices.Equal(hashes, original) {
					t.Fatalf("%d hashes: they have changed", n)
				}
			}
		}
		for _, oneIn := range []int{1, 2, 10, 100, 1 << 30} {
			for n := range 100 {
				check(n, oneIn)
			}
			for _, n := range []int{1000, 1<<14 + 1, 1<<14 + 9, most} {
				check(n, oneIn)
			}
		}
	})
}

func TestCopyUnequalWantsRoom(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a room that is too short is taken")
		}
	}()
	asm.CopyUnequal(make([]uint64, 9), 0, make([]uint64, 10))
}
