//go:build !purego

package asm

//lint:file-ignore U1000 linear_amd64.s uses the fields of linearRoom

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	solvedLines = 8  // by a call of the kernel
	lineKeys    = 64 // that the kernel takes for a line
	linearSeeds = 4

	// The most bits of slots and a fingerprint that the kernel takes: those of a word.
	mostRowBits = 64
)

// linearList has the hashes of a line, and where it is written.
type linearList struct {
	hashes *uint64
	n      int
	line   *byte
}

// linearRoom is the memory of linearSolveAVX512. Words [i] are of line i.
type linearRoom struct {
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

// solverKernel is the memory that the kernel needs.
type solverKernel struct {
	room  linearRoom
	lists [solvedLines]linearList
	spare [BlockBytes]byte // a line that nobody wants
	order []uint32         // the lines, in the order of their numbers of keys
}

// LinearSolveLines is LinearSolve of neighbouring lines, the first of which is body's first.
// The hashes of line i end at ends[i], and begin where those of the line before it end.
//
// Eight lines that the kernel solves together take as long as the one with the most keys, so
// it takes them in the order of their numbers of keys.
func LinearSolveLines(solver *LinearSolver, body []byte, r int, lines uint32, ends []int, hashes []uint64) {
	checkLines(body, r, lines, ends, hashes)
	if level() != cpu.AVX512 || LinearSlotsOf(r)+r > mostRowBits {
		solveEach(solver, body, r, lines, ends, hashes)
		return
	}
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
			if to-from > lineKeys {
				fallback.LinearSolve(&solver.fallback, bytes, r, lines, hashes[from:to])
			} else if to > from {
				k.lists[i] = linearList{&hashes[from], to - from, &bytes[0]}
			} else {
				clear(bytes)
			}
		}
		linearSolveAVX512(&linearShapes[r], int(lines), &k.lists, &k.room)
	}
}

// sortLines sorts the lines by their numbers of keys, by counting.
func (k *solverKernel) sortLines(ends []int) {
	var next [lineKeys + 2]uint32
	from := 0
	for _, to := range ends {
		next[min(to-from, lineKeys)+1]++
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
		n := min(to-from, lineKeys)
		k.order[next[n]] = uint32(line)
		next[n]++
		from = to
	}
}
