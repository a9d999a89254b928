package asm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestLinearBumped selects the keys of lines with any headers. The hashes and the room for them are
// beside unreadable pages.
func TestLinearBumped(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 7))
		const multiplier, most = 12345, 20
		for round := range 300 {
			var hashes, want []uint64
			ends, headers := make([]int, random.IntN(30)), make([]byte, 30)
			headers = headers[:len(ends)]
			for line := range ends {
				headers[line] = byte(random.Uint32())
				switch round % 4 {
				case 0:
					headers[line] = byte(random.IntN(8))
				case 1:
					headers[line] = byte(248 + random.IntN(8))
				}
				n := random.IntN(most)
				if round%8 == 2 && line == 3 {
					n = random.IntN(1000)
				}
				for range n {
					hash := random.Uint64()
					hashes = append(hashes, hash)
					if _, order := fallback.LinearPlace(hash, multiplier); order < uint64(headers[line]>>2) {
						want = append(want, fallback.LinearNext(hash))
					}
				}
				ends[line] = len(hashes)
			}
			room, dst := testmem.Words(testmem.Between(t, 8*len(hashes)+8)), testmem.Words(testmem.Between(t, 8*len(hashes)+8))
			given := room[len(room)-len(hashes):]
			copy(given, hashes)
			got := dst[len(dst)-len(hashes):]
			n := asm.LinearBumped(got, headers, multiplier, ends, given)
			if !slices.Equal(got[:n], want) || !slices.Equal(given, hashes) {
				t.Fatalf("%d hashes of %d lines: %d are bumped, want %d", len(hashes), len(ends), n, len(want))
			}
		}
	})
}

func TestLinearBumpedRefuses(t *testing.T) {
	for _, c := range []struct{ dst, headers, end, hashes int }{{4, 1, 5, 5}, {5, 1, 4, 5}, {5, 2, 5, 5}, {5, 1, 6, 5}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: no panic", c)
				}
			}()
			asm.LinearBumped(make([]uint64, c.dst), make([]byte, c.headers), 1, []int{c.end}, make([]uint64, c.hashes))
		}()
	}
}
