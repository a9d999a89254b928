package asm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

func TestLegacyAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := 1; k <= 40; k++ {
		for _, lines := range []uint32{1, 3, 5, 7, 127, 129, 9001} {
			room := make([]byte, lines*64+64)
			body := room[k%7:][:lines*64]
			hashes := make([]uint32, 5000)
			for i := range hashes {
				hashes[i] = r.Uint32()
			}
			asm.LegacyAdd(body, lines, k, hashes[:min(2500, lines*400/uint32(k)+1)])
			f := asm.NewLegacy(body, lines, k)
			for _, n := range []int{0, 1, 3, 7, 8, 9, 63, 64, 65, 127, 128, 129, 300, 2048, 2049, 2055, 5000} {
				bits := make([]uint64, asm.Words(n))
				bools := make([]bool, n)
				f.ContainsBits(hashes[:n], bits)
				f.ContainsBools(hashes[:n], bools)
				for i, h := range hashes[:n] {
					want := naive.LegacyContains(body, lines, k, h)
					if bits[i/64]>>(i%64)&1 != 0 != want || bools[i] != want || f.Contains(h) != want {
						t.Fatal(k, lines, n, i)
					}
				}
			}
		}
	}
}
