package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/fallback"
)

// NewLinear returns the filter with fingerprints of r bits whose layers have the given
// numbers of lines. Each has at least one, and their sum is the body's. Without layers it
// contains nothing.
func NewLinear(body []byte, lines []uint32, r int) Kernel {
	checkLinear(body, lines, r)
	k := Kernel{body: body, format: Linear, layers: len(lines), bits: r}
	copy(k.lines[:], lines)
	if len(lines) > 0 {
		k.form, k.linear, k.byBlock = formOf(1), linearShapeOf(r), int(lines[0])*BlockBytes
	}
	k.entry, k.oneByOne = linearEntries.of(k.form), oneByOne(Linear, k.form, body)
	return k
}

func linearContainsGo(k *Kernel, hash uint64) bool {
	return fallback.LinearContains(k.body, k.lines[:k.layers], k.bits, hash)
}

// LinearSolver is the memory of LinearSolveLines. The zero LinearSolver is ready for use.
type LinearSolver struct {
	fallback fallback.LinearSolver
	kernel   solverKernel
}

// solveEach solves one line after the other.
func solveEach(solver *LinearSolver, body []byte, r int, lines uint32, ends []int, hashes []uint64) {
	from := 0
	for i, to := range ends {
		fallback.LinearSolve(&solver.fallback, body[i*BlockBytes:][:BlockBytes], r, lines, hashes[from:to])
		from = to
	}
}

func checkLines(body []byte, r int, lines uint32, ends []int, hashes []uint64) {
	if len(body) != len(ends)*BlockBytes || fallback.LinearSlotsOf(r) == 0 || lines == 0 || len(ends) > 0 && ends[len(ends)-1] != len(hashes) {
		panic(fmt.Sprintf("asm: %d bytes for %d lines out of %d, with fingerprints of %d bits", len(body), len(ends), lines, r))
	}
}

func checkLinear(body []byte, lines []uint32, r int) {
	if len(lines) > fallback.MaxLinearLayers || fallback.LinearSlotsOf(r) == 0 || !areLayersOf(body, lines) {
		panic(fmt.Sprintf("asm: len(body) is %d, which is not that of %d layers of fingerprints of %d bits", len(body), len(lines), r))
	}
}

// areLayersOf reports whether layers of the given numbers of lines, at least one each, are
// the body.
func areLayersOf(body []byte, lines []uint32) bool {
	sum := uint64(0)
	for _, n := range lines {
		if n == 0 {
			return false
		}
		sum += uint64(n)
	}
	return sum < 1<<32 && sum*BlockBytes == uint64(len(body))
}
