//go:build !purego

package asm

//lint:file-ignore U1000 linear_amd64.s uses the fields of linearScratch

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/race"
)

const (
	solvedLines = 8  // by a call of a kernel
	lineKeys    = 64 // that linearSolveAVX512 takes for a line
	linearSeeds = 4

	// The most bits of slots and a fingerprint that linearSolveAVX512 takes: those of a word.
	mostRowBits = 64
)

// linearList has the hashes of a line, and where it is written.
type linearList struct {
	hashes *uint64
	n      int
	line   *byte
}

// linearScratch is the memory of linearSolveAVX512. Words [i] are of line i.
type linearScratch struct {
	keys       [lineKeys][solvedLines]uint64 // in the order of elimination
	orders     [lineKeys][solvedLines]uint64
	rows       [lineKeys][linearSeeds][solvedLines]uint64
	lows       [lineKeys][linearSeeds][solvedLines]uint64 // the rows' lowest slots
	slots      [solvedLines][128]uint32
	thresholds [linearSeeds][solvedLines]uint64
	headers    [solvedLines]uint64
	counts     [solvedLines]uint64
	places     [solvedLines]uint64
	values     [solvedLines]uint64
	bytes      [lineKeys]byte
	line       [2 * BlockBytes]byte
}

// solverKernel is the memory that the kernels need.
type solverKernel struct {
	scratch *linearScratch // nil until needed, as is quads
	quads   *quadSolver
	lists   [solvedLines]linearList
	spare   [BlockBytes]byte // where lists without keys are written
	order   []uint32         // the lines, in the order of their numbers of keys
}

// solves returns the most keys of a line that the kernel for fingerprints of r bits takes,
// or 0 if there is no kernel.
func solves(r int) int {
	switch l := level(); {
	case l == cpu.AVX512 && fallback.LinearSlotsOf(r)+r <= mostRowBits:
		return lineKeys
	case l.Includes(cpu.AVX2):
		return quadKeys
	}
	return 0
}

// solve solves the lines of the lists.
func (k *solverKernel) solve(r int, lines uint32) {
	if level() == cpu.AVX512 && fallback.LinearSlotsOf(r)+r <= mostRowBits {
		if k.scratch == nil {
			k.scratch = new(linearScratch)
		}
		linearSolveAVX512(&linearShapes[r], int(lines), &k.lists, k.scratch)
		return
	}
	if k.quads == nil {
		k.quads = new(quadSolver)
	}
	k.quads.solve(r, lines, &k.lists)
}

// LinearSolveLines is LinearSolve of neighbouring lines, the first of which is body's first.
// The hashes of line i end at ends[i], and begin where those of the line before it end.
//
// Lines that a kernel solves together take as long as the one with the most keys, so they
// are taken in the order of their numbers of keys.
func LinearSolveLines(solver *LinearSolver, body []byte, r int, lines uint32, ends []int, hashes []uint64) {
	checkLines(body, r, lines, ends, hashes)
	most := solves(r)
	if most == 0 {
		solveEach(solver, body, r, lines, ends, hashes)
		return
	}
	writesLines(body, len(ends))
	race.Read(hashes)
	k := &solver.kernel
	k.sortLines(ends)
	for next := k.order; len(next) > 0; next = next[min(solvedLines, len(next)):] {
		for i := range k.lists {
			k.lists[i] = linearList{hashes: unsafe.SliceData(hashes), line: &k.spare[0]}
			if i >= len(next) {
				continue
			}
			line := int(next[i])
			from, to := 0, ends[line]
			if line > 0 {
				from = ends[line-1]
			}
			bytes := body[line*BlockBytes:][:BlockBytes]
			if to-from > most {
				fallback.LinearSolve(&solver.fallback, bytes, r, lines, hashes[from:to])
			} else if to > from {
				k.lists[i] = linearList{&hashes[from], to - from, &bytes[0]}
			} else {
				clear(bytes)
			}
		}
		k.solve(r, lines)
	}
}

// sortLines sorts the lines by their numbers of keys, by counting.
func (k *solverKernel) sortLines(ends []int) {
	var next [quadKeys + 2]uint32
	from := 0
	for _, to := range ends {
		next[min(to-from, quadKeys)+1]++
		from = to
	}
	for i := range len(next) - 1 {
		next[i+1] += next[i]
	}
	if cap(k.order) < len(ends) {
		k.order = make([]uint32, len(ends))
	}
	k.order = k.order[:len(ends)]
	from = 0
	for line, to := range ends {
		n := min(to-from, quadKeys)
		k.order[next[n]] = uint32(line)
		next[n]++
		from = to
	}
}
