//go:build !purego

package asm

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// eachSolver calls f at each level that has kernels, with every number of bits in a
// fingerprint.
func eachSolver(t *testing.T, f func(t *testing.T, r int)) {
	for _, l := range []cpu.Level{cpu.AVX2, cpu.AVX512} {
		if !cpu.Current().Includes(l) {
			continue
		}
		t.Run(l.String(), func(t *testing.T) {
			defer cpu.Limit(l)()
			for r := fallback.LeastLinearBits; r <= fallback.MostLinearBits; r++ {
				if fallback.LinearSlotsOf(r) > 0 {
					f(t, r)
				}
			}
		})
	}
}

// solverLines is the number of lines in the layer of the tests.
const solverLines = 1000

// solverHashes are the kinds of hashes that the tests solve, all of one line or of any.
var solverHashes = map[string]func(random *rand.Rand, before []uint64) uint64{
	"random": func(random *rand.Rand, _ []uint64) uint64 { return random.Uint64() },
	"duplicates": func(random *rand.Rand, before []uint64) uint64 {
		if len(before) == 0 {
			return random.Uint64()
		}
		return before[random.IntN(len(before))]
	},
	"some duplicates": func(random *rand.Rand, before []uint64) uint64 {
		if len(before) == 0 || random.IntN(8) > 0 {
			return random.Uint64()
		}
		return before[random.IntN(len(before))]
	},
	"equal rows": func(random *rand.Rand, _ []uint64) uint64 {
		return random.Uint64()&(1<<32-1) | uint64(random.IntN(5))<<32
	},
	"some equal rows": func(random *rand.Rand, _ []uint64) uint64 {
		return random.Uint64()&(1<<32-1) | uint64(random.IntN(500))<<32
	},
	"few orders": func(random *rand.Rand, _ []uint64) uint64 {
		return random.Uint64()>>32<<32 | uint64(random.IntN(4))<<16
	},
	"zeros": func(random *rand.Rand, _ []uint64) uint64 { return uint64(random.IntN(3)) << (31 * random.IntN(3)) },
}

// TestLinearSolveKernels solves lines of every number of keys that the kernels take, also
// equal keys and ones with equal rows or orders: as many lines as are solved at once, or at most half of them.
func TestLinearSolveKernels(t *testing.T) {
	kinds := slices.Sorted(func(yield func(string) bool) {
		for kind := range solverHashes {
			if !yield(kind) {
				return
			}
		}
	})
	eachSolver(t, func(t *testing.T, r int) {
		var kernel solverKernel
		var solver fallback.LinearSolver
		most, slots := lineKeys, fallback.LinearSlotsOf(r)
		random := rand.New(rand.NewPCG(uint64(r), 3))
		for round := range 60 * len(kinds) {
			kind := kinds[round/3%len(kinds)]
			var hashes [mostSolvedLines][]uint64
			var got, want [mostSolvedLines][BlockBytes + 1]byte // and their headers
			lines := solvedAt(r)
			if round%4 == 1 {
				lines = 1 + random.IntN(lines/2)
			}
			for i := range kernel.lists[:solvedAt(r)] {
				n := (mostSolvedLines*round + i) % (most + 1)
				if round%3 == 0 {
					n = min(most, slots*(75+random.IntN(50))/100)
				}
				if i >= lines {
					n = 0
				}
				for len(hashes[i]) < n {
					hashes[i] = append(hashes[i], solverHashes[kind](random, hashes[i]))
				}
				hashes[i] = slices.Grow(hashes[i], 1)
				kernel.lists[i] = linearList{&hashes[i][:1][0], n, &got[i][0], &got[i][BlockBytes]}
			}
			kernel.solve(r, solverLines, lines)
			for i := range kernel.lists[:solvedAt(r)] {
				want[i][BlockBytes] = fallback.LinearSolve(&solver, want[i][:BlockBytes], r, solverLines, hashes[i])
				if !bytes.Equal(got[i][:], want[i][:]) {
					t.Fatalf("R=%d, round %d of %s, line %d of %d keys:\n%x, want\n%x", r, round, kind, i, len(hashes[i]), got[i], want[i])
				}
			}
		}
	})
}

// BenchmarkLinearSolveLines solves lines as full as those of a filter's first layer.
func BenchmarkLinearSolveLines(b *testing.B) {
	const lines = 1000
	for r := fallback.LeastLinearBits; r <= fallback.MostLinearBits; r++ {
		slots := fallback.LinearSlotsOf(r)
		if slots == 0 {
			continue
		}
		b.Run(fmt.Sprintf("R=%d", r), func(b *testing.B) {
			random := rand.New(rand.NewPCG(uint64(r), 4))
			hashes, ends := make([]uint64, slots*lines*5/4), make([]int, lines)
			for i := range hashes {
				hashes[i] = random.Uint64()
				line, _ := fallback.LinearPlace(hashes[i], lines)
				ends[line]++
			}
			slices.SortFunc(hashes, func(a, b uint64) int { return cmp.Compare(uint32(a), uint32(b)) })
			for i := range ends[1:] {
				ends[i+1] += ends[i]
			}
			body, headers := make([]byte, lines*BlockBytes), make([]byte, lines)
			var solver LinearSolver
			for b.Loop() {
				LinearSolveLines(&solver, body, headers, r, lines, ends, hashes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(hashes)), "ns/key")
		})
	}
}
