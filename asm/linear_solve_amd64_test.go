//go:build !purego

package asm

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// TestLinearSolveKernel solves lines of any number of keys, also equal ones and ones with
// equal rows or orders.
func TestLinearSolveKernel(t *testing.T) {
	if level() != cpu.AVX512 {
		t.Skip("no kernel")
	}
	var solver fallback.LinearSolver
	room := new(linearRoom)
	for r := LeastLinearBits; r <= MostLinearBits; r++ {
		slots := LinearSlotsOf(r)
		if slots == 0 || slots+r > 64 {
			continue
		}
		random := rand.New(rand.NewPCG(uint64(r), 3))
		for round := range 300 {
			const lines = 1000
			var lists [solvedLines]linearList
			var hashes [solvedLines][]uint64
			var got, want [solvedLines][BlockBytes]byte
			for i := range lists {
				n := random.IntN(lineKeys + 1)
				if round%2 == 0 {
					n = min(lineKeys, slots*(75+random.IntN(50))/100)
				}
				for len(hashes[i]) < n {
					hash := random.Uint64()
					switch {
					case round%7 == 1 && len(hashes[i]) > 0: // duplicates
						hash = hashes[i][random.IntN(len(hashes[i]))]
					case round%7 == 2: // few rows
						hash = hash&(1<<32-1) | uint64(random.IntN(5))<<32
					case round%7 == 3: // few orders
						hash = hash>>32<<32 | uint64(random.IntN(4))<<20
					}
					hashes[i] = append(hashes[i], hash)
				}
				hashes[i] = append(hashes[i], 0)[:n]
				lists[i] = linearList{&hashes[i][:1][0], n, &got[i][0]}
			}
			linearSolveAVX512(&linearShapes[r], lines, &lists, room)
			for i := range lists {
				fallback.LinearSolve(&solver, want[i][:], r, lines, hashes[i])
				if !bytes.Equal(got[i][:], want[i][:]) {
					t.Fatalf("R=%d, round %d, line %d of %d keys:\n%x, want\n%x", r, round, i, len(hashes[i]), got[i], want[i])
				}
			}
		}
	}
}

// BenchmarkLinearSolveKernel takes lines as the first layer of a filter has.
func BenchmarkLinearSolveKernel(b *testing.B) {
	room := new(linearRoom)
	for _, r := range []int{10, 14, 15, 18, 21, 28} {
		slots := LinearSlotsOf(r)
		var all [64][solvedLines]linearList
		keys := 0
		line := make([]byte, BlockBytes)
		for i := range all {
			n := slots * (90 + i/2) / 100
			for j := range all[i] {
				hashes := make([]uint64, n)
				for k := range hashes {
					hashes[k] = rand.Uint64()
				}
				all[i][j] = linearList{&hashes[0], n, &line[0]}
				keys += n
			}
		}
		b.Run(string(rune('0'+r/10))+string(rune('0'+r%10)), func(b *testing.B) {
			for range b.N {
				for i := range all {
					linearSolveAVX512(&linearShapes[r], 1<<20, &all[i], room)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(keys), "ns/key")
		})
	}
}
