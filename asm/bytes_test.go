package asm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// checkAnyBytes looks hashes up in bytes beside unreadable pages. want is nil if they may contain every hash.
func checkAnyBytes(t *testing.T, data []byte, hashes []uint64, mayContain func(data []byte, hash uint64) bool, want func(hash uint64) bool) {
	t.Helper()
	testmem.BesideGuards(t, data, func(data []byte) {
		for _, hash := range hashes {
			if got := mayContain(data, hash); got != (want == nil || want(hash)) {
				t.Fatalf("%d bytes that end in %x, hash %#x: %v", len(data), data[max(0, len(data)-8):], hash, got)
			}
		}
	})
}

func none(uint64) bool { return false }

// TestPairedMayContain has any byte in each place of the trailer, bodies of all numbers of blocks, some
// with a part of one, and all numbers of probes.
func TestPairedMayContain(t *testing.T) {
	hashes := vectors.Hashes(47, 30)
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 91))
		check := func(body []byte, trailer []byte) {
			t.Helper()
			batch, probes := map[byte]int{0: 32, 7: 128}[trailer[2]], int(trailer[1])
			var want func(uint64) bool
			if trailer[0] == 1 && trailer[3] == 0 && batch > 0 && probes >= 2 && probes <= asm.MaxProbes && len(body) > 0 && len(body)%(batch*asm.BlockBytes) == 0 {
				want = func(hash uint64) bool { return fallback.PairedContains(body, batch, probes, hash) }
			}
			checkAnyBytes(t, slices.Concat(body, trailer), hashes, asm.PairedMayContain, want)
		}
		for _, which := range []byte{0, 7} {
			batch := 32 + 96*int(which/7)
			for probes := range byte(40) {
				k := kernels{batch: batch, probes: max(2, int(probes))}
				check(k.balancedBody(r, 2*batch*asm.BlockBytes), []byte{1, probes, which, 0})
			}
			for at := range 4 {
				for value := range 256 {
					trailer := []byte{1, 6, which, 0}
					trailer[at] = byte(value)
					check(randomBody(r, 128*asm.BlockBytes), trailer)
				}
			}
			for blocks := range 260 {
				check(randomBody(r, blocks*asm.BlockBytes), []byte{1, 6, which, 0})
				check(randomBody(r, blocks*asm.BlockBytes+1+r.IntN(63)), []byte{1, 6, which, 0})
			}
		}
		checkAnyBytes(t, nil, hashes, asm.PairedMayContain, none)
		for n := range 3 {
			checkAnyBytes(t, []byte{1, 6, 0, 0}[:n+1], hashes, asm.PairedMayContain, nil)
		}
	})
}

// TestRibbonMayContain has any byte in each place of the trailer, and random bodies of all numbers of
// columns, some with a part of a segment.
func TestRibbonMayContain(t *testing.T) {
	hashes := vectors.Hashes(48, 30)
	other := func(hash uint64) bool { return hash&1 != 0 }
	mayContain := func(data []byte, hash uint64) bool {
		return asm.RibbonMayContain(data, hash, func(_ []byte, hash uint64) bool { return other(hash) })
	}
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 92))
		check := func(body []byte, trailer []byte) {
			t.Helper()
			blocks, segments := uint32(trailer[2])|uint32(trailer[3])<<8|uint32(trailer[4])<<16, len(body)/fallback.RibbonSegmentBytes
			want := other
			if trailer[0] == 0xfe && blocks >= 2 && segments > 0 && len(body)%fallback.RibbonSegmentBytes == 0 {
				shape := fallback.NewRibbonShape(uint64(len(body)), blocks, trailer[1])
				want = func(hash uint64) bool { return fallback.RibbonContains(body, &shape, hash) }
			}
			checkAnyBytes(t, slices.Concat(body, trailer), hashes, mayContain, want)
		}
		for segments := range 300 {
			for _, blocks := range []byte{0, 1, 2, 3, 7, 40} {
				check(randomBody(r, segments*fallback.RibbonSegmentBytes), []byte{0xfe, byte(segments), blocks, 0, 0})
			}
			check(randomBody(r, segments*fallback.RibbonSegmentBytes+1+r.IntN(15)), []byte{0xfe, 3, 5, 0, 0})
		}
		for at := range 5 {
			for value := range 256 {
				trailer := []byte{0xfe, 9, 5, 0, 0}
				trailer[at] = byte(value)
				check(randomBody(r, 5*7*fallback.RibbonSegmentBytes), trailer)
			}
		}
		for n := range 5 {
			checkAnyBytes(t, []byte{0xfe, 0, 2, 0, 0}[:n], hashes, mayContain, other)
		}
	})
}
