package asm_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
)

// TestLinearSolveLines solves lines of few keys and of many, more than the kernels take, as
// package fallback does. The lines are at any place. They and the hashes are beside unreadable
// pages.
func TestLinearSolveLines(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		const most = 200 // keys of a line
		for bits := fallback.LeastLinearBits; bits <= fallback.MostLinearBits; bits++ {
			slots := fallback.LinearSlotsOf(bits)
			if slots == 0 || slow && bits%3 > 0 {
				continue
			}
			random := rand.New(rand.NewPCG(uint64(bits), 6))
			var solver asm.LinearSolver
			var plain fallback.LinearSolver
			for _, lines := range []int{0, 1, 2, 4, 5, 7, 8, 9, 15, 16, 17, 35} {
				room := testmem.Words(testmem.Between(t, 8*most*lines))
				memory := testmem.Between(t, lines*asm.BlockBytes+asm.BlockBytes)
				var hashes []uint64
				var ends []int
				for line := range lines {
					n := random.IntN(slots + slots/2)
					if line%7 == 3 {
						n = random.IntN(most)
					}
					for range n {
						hash := random.Uint64()
						if random.IntN(8) == 0 && len(hashes) > 0 {
							hash = hashes[random.IntN(len(hashes))]
						}
						hashes = append(hashes, hash)
					}
					ends = append(ends, len(hashes))
				}
				want, wantHeaders := make([]byte, lines*asm.BlockBytes), make([]byte, lines)
				from := 0
				for line, to := range ends {
					wantHeaders[line] = fallback.LinearSolve(&plain, want[line*asm.BlockBytes:][:asm.BlockBytes], bits, 1<<20, hashes[from:to])
					from = to
				}
				for _, place := range []int{0, 23, len(memory) - len(want)} {
					body := memory[place : place+len(want) : place+len(want)]
					for i := range memory {
						memory[i] = 0xa5
					}
					given := room[:len(hashes)]
					if place > 0 {
						given = room[len(room)-len(hashes):]
					}
					copy(given, hashes)
					headers := bytes.Repeat([]byte{0xa5}, lines+2)
					asm.LinearSolveLines(&solver, body, headers[1:lines+1], bits, 1<<20, ends, given)
					if !bytes.Equal(body, want) || !bytes.Equal(headers, slices.Concat([]byte{0xa5}, wantHeaders, []byte{0xa5})) {
						t.Fatalf("R=%d, %d lines at %d: other bytes than package fallback's", bits, lines, place)
					}
					beside := slices.Concat(memory[:place], memory[place+len(want):])
					if !slices.Equal(given, hashes) || bytes.Count(beside, []byte{0xa5}) != len(beside) {
						t.Fatalf("R=%d, %d lines at %d: hashes or bytes beside the lines have changed", bits, lines, place)
					}
				}
			}
		}
	})
}
