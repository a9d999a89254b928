//go:build !purego && !race

package asm

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestPairedCalls calls assembly with every number of keys and in every way: what wrappers
// choose by the body's size and by earlier keys is given here. (The race detector does not
// see assembly.)
// There is memory for no hash, and no answer, more than the call is promised.
func TestPairedCalls(t *testing.T) {
	type kernel = func(k *Kernel, hashes, bits *uint64, bools *bool, n, ahead int, direct bool) int
	const most = nearChunk
	r := rand.New(rand.NewPCG(1, 91))
	hashes := testmem.Words(testmem.Between(t, 8*(most+ahead)))
	bits := testmem.Words(testmem.Between(t, most/8))
	bools := testmem.Bools(testmem.Between(t, most))
	hashes, bits, bools = hashes[len(hashes)-most-ahead:], bits[len(bits)-most/64:], bools[len(bools)-most:]
	body := testmem.Between(t, 3*128*BlockBytes)
	for _, k := range []struct {
		name  string
		level cpu.Level
		call  kernel
	}{{"AVX512", cpu.AVX512, pairedContainsBatchAVX512}, {"AVX2", cpu.AVX2, pairedContainsBatchAVX2}} {
		if !cpu.Current().Includes(k.level) {
			continue
		}
		for loop, probes := range []int{12, 16, 24, 30} { // each of the loops
			for i := range body {
				body[i] = 0xff
			}
			for range 8 * len(body) / 2 / probes {
				at := r.IntN(8 * len(body))
				body[at/8] &^= 1 << (at % 8)
			}
			f := NewPaired(body, 128, probes)
			for i := range hashes {
				hashes[i] = r.Uint64()
			}
			var want [most + ahead]bool
			for i, hash := range hashes {
				want[i] = fallback.PairedContains(body, 128, probes, hash)
			}
			step := 1
			if os.Getenv("SIMDBLOOM_TEST_EXEC") != "" { // an emulator
				step = 29
			}
			for n := octet; n <= most; n += step {
				for way := range 12 {
					// Half of the ways have each two of the three choices together. Lengths
					// far from whole words are one loop's.
					half := (way%3+way/3+way/6+n/4)%2 == 0
					if !half || n > 200 && (n+4)%64 > 8 && n%4 != loop {
						continue
					}
					distance, direct := [3]int{0, ahead, -1}[way%3], way/3%2 != 0
					from := len(hashes) - n - max(distance, 0)
					count := 0
					for _, w := range want[from:][:n] {
						if w {
							count++
						}
					}
					describe := func() string {
						return fmt.Sprintf("%s, k=%d, %d keys, way %d", k.name, probes, n, way)
					}
					var found int
					if way >= 6 {
						to := bools[len(bools)-n:]
						clear(bools)
						found = k.call(&f, &hashes[from], nil, &to[0], n, distance, direct)
						for i := range to {
							if to[i] != want[from+i] {
								t.Fatalf("%s: key %d of them: %v", describe(), i, to[i])
							}
						}
						for i := range bools[:len(bools)-n] {
							if bools[i] {
								t.Fatalf("%s: wrote before the answers", describe())
							}
						}
					} else {
						to := bits[len(bits)-Words(n):]
						for i := range bits {
							bits[i] = ^uint64(0)
						}
						found = k.call(&f, &hashes[from], &to[0], nil, n, distance, direct)
						for i := range 64 * len(to) {
							if set := to[i/64]>>(i%64)&1 != 0; set != (i < n && want[from+i]) {
								t.Fatalf("%s: key %d of them: %v", describe(), i, set)
							}
						}
						for _, word := range bits[:len(bits)-len(to)] {
							if word != ^uint64(0) {
								t.Fatalf("%s: wrote before the answers", describe())
							}
						}
					}
					if found != count {
						t.Fatalf("%s: found %d, not %d", describe(), found, count)
					}
				}
			}
		}
	}
}
