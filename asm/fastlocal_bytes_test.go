package asm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestFastLocalMayContain has bodies of all small sizes, whole blocks or not, beside unreadable pages, any
// byte in each place of the trailer, and all numbers of probes.
func TestFastLocalMayContain(t *testing.T) {
	hashes := vectors.Hashes(46, 20)
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 90))
		check := func(body []byte, trailer []byte) {
			t.Helper()
			whole := body[:len(body)/asm.BlockBytes*asm.BlockBytes]
			var want func(uint64) bool
			if t := trailer; len(whole) > 0 && t[0] == 0xff && t[1] == 0 && t[2]-1 < asm.MaxProbes && t[3] == 0 && t[4] == 0 {
				want = func(hash uint64) bool { return fallback.FastLocalContains(whole, int(t[2]), hash) }
			}
			checkAnyBytes(t, slices.Concat(body, trailer), hashes, asm.FastLocalMayContain, want)
		}
		for size := range 4 * asm.BlockBytes {
			check(randomBody(r, size), []byte{0xff, 0, byte(size % 33), 0, 0})
		}
		for probes := range byte(40) {
			k := kernels{batch: 1, probes: max(1, int(probes))}
			for blocks := range 20 {
				check(k.balancedBody(r, (1+blocks)*asm.BlockBytes), []byte{0xff, 0, probes, 0, 0})
			}
		}
		for at := range 5 {
			for value := range 256 {
				trailer := []byte{0xff, 0, 6, 0, 0}
				trailer[at] = byte(value)
				check(randomBody(r, 3*asm.BlockBytes+at), trailer)
			}
		}
		checkAnyBytes(t, nil, hashes, asm.FastLocalMayContain, none)
		for n := range 4 {
			checkAnyBytes(t, []byte{0xff, 0, 6, 0, 0}[:n+1], hashes, asm.FastLocalMayContain, nil)
		}
	})
}
