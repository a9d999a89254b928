package asm_test

import (
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/splitmix"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// TestLinear looks up in bodies of arbitrary bytes, as the naive reading does.
func TestLinear(t *testing.T) {
	for r := range 32 {
		if fallback.LinearSlotsOf(r) == 0 {
			continue
		}
		for _, lines := range [][]uint32{nil, {1}, {300}, {200, 30, 4, 1}, {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}} {
			sum := 0
			for _, n := range lines {
				sum += int(n)
			}
			body := make([]byte, 0, sum*asm.BlockBytes)
			for i := range cap(body) {
				body = append(body, byte(splitmix.Value(uint64(r), uint64(i))))
			}
			f := asm.NewLinear(body, lines, r)
			hashes := vectors.Hashes(1, 1000)
			bits, bools := make([]uint64, asm.Words(len(hashes))), make([]bool, len(hashes))
			f.ContainsBits(hashes, bits)
			f.ContainsBools(hashes, bools)
			for i, hash := range hashes {
				want := naive.LinearContains(body, lines, r, hash)
				if f.Contains(hash) != want || bools[i] != want || bits[i/64]>>(i%64)&1 != 0 != want {
					t.Fatalf("R=%d, layers %d, hash %#x: not %v", r, lines, hash, want)
				}
			}
		}
	}
}

func TestLinearRefuses(t *testing.T) {
	for _, c := range []struct {
		bytes int
		lines []uint32
		r     int
	}{
		{64, []uint32{1}, 6},
		{64, []uint32{1}, 23},
		{64, []uint32{1}, 32},
		{64, nil, 7},
		{64, []uint32{1, 0}, 7},
		{64, []uint32{2}, 7},
		{65, []uint32{1}, 7},
		{0, []uint32{1 << 31, 1 << 31}, 7},
		{17 * 64, []uint32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 7},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v: no panic", c)
				}
			}()
			asm.NewLinear(make([]byte, c.bytes), c.lines, c.r)
		}()
	}
}
