package asm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestUsualFastLocal has bodies of all small sizes, whole blocks or not, beside unreadable pages, and
// any byte in each place of the trailer.
func TestUsualFastLocal(t *testing.T) {
	hashes := vectors.Hashes(46, 20)
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 90))
		check := func(size int, trailer []byte) {
			t.Helper()
			probes := 0
			if t := trailer; size >= asm.BlockBytes && t[0] == 0xff && t[1] == 0 && t[2] <= asm.MaxProbes && t[3] == 0 && t[4] == 0 {
				probes = int(t[2])
			}
			testmem.BesideGuards(t, append(randomBody(r, size), trailer...), func(data []byte) {
				f, ok := asm.UsualFastLocal(data)
				body := data[:size/asm.BlockBytes*asm.BlockBytes]
				if ok != (probes > 0) {
					t.Fatalf("%d bytes before %x: %v, want %d probes", size, trailer, ok, probes)
				}
				for _, hash := range hashes {
					if ok && f.Contains(hash) != fallback.FastLocalContains(body, probes, hash) {
						t.Fatalf("%d bytes before %x, hash %#x: not %v", size, trailer, hash, !f.Contains(hash))
					}
				}
			})
		}
		for size := range 4 * asm.BlockBytes {
			check(size, []byte{0xff, 0, byte(size % 33), 0, 0})
		}
		for at := range 5 {
			for value := range 256 {
				trailer := []byte{0xff, 0, 6, 0, 0}
				trailer[at] = byte(value)
				check(3*asm.BlockBytes+at, trailer)
			}
		}
		for n := range 5 {
			if _, ok := asm.UsualFastLocal([]byte{0xff, 0, 6, 0, 0}[:n]); ok {
				t.Errorf("%d bytes are a filter", n)
			}
		}
	})
}
