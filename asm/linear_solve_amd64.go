//go:build !purego

package asm

//lint:file-ignore U1000 linear_solve_amd64.s uses the fields of linearScratch

import (
	"slices"
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	solvedLines     = 8   // by a call of a kernel
	mostSolvedLines = 16  // where lines have at most 32 slots, with AVX-512
	lineKeys        = 128 // that kernels take for a line
	lineSlots       = 80
	linearSeeds     = 4
)

// linearList has the hashes of a line, and where it and its header are written.
type linearList struct {
	hashes *uint64
	n      int
	line   *byte
	header *byte
}

// linearRank has the rows of a rank, for each seed, and their lowest slots.
type linearRank struct {
	rows, lows [linearSeeds][solvedLines]uint64
}

// linearScratch is the memory of the kernels for AVX-512. Vectors have a word for each of the lines:
// 64 bits for each of eight, or 32 for each of 16.
type linearScratch struct {
	keys       [lineKeys][mostSolvedLines]uint64 // in the order of elimination
	orders     [lineKeys][solvedLines]uint64
	ranks      [lineKeys]linearRank
	rests      [lineKeys]linearRank // the second words of rows; the lowest slots where the first is zero
	slots      [mostSolvedLines][lineSlots]uint32
	thresholds [linearSeeds][solvedLines]uint64
	headers    [solvedLines]uint64
	counts     [solvedLines]uint64
	places     [solvedLines]uint64
	values     [solvedLines]uint64
	bytes      [mostSolvedLines][lineKeys]byte // the orders
	line       [2 * BlockBytes]byte
}

// linearSlotShifts bring each slot of a tail, in every word of a vector, to where it is in the upper
// half of a line: it is in two words at most.
type linearSlotShifts [8]struct{ left, right [8]uint32 }

func newLinearSlotShifts(r int) (s linearSlotShifts) {
	_, tail := fallback.LinearLine(r)
	for i := range tail {
		const upper = 8 * BlockBytes / 2 // the bit where a line's upper half begins
		bit := 8*BlockBytes - (i+1)*r - upper
		shifts := &s[i]
		for word := range shifts.left {
			shifts.left[word], shifts.right[word] = 32, 32 // which leaves nothing
		}
		shifts.left[bit/32] = uint32(bit % 32)
		if next := bit/32 + 1; next < len(shifts.right) {
			shifts.right[next] = uint32(32 - bit%32)
		}
	}
	return s
}

// solverKernel is the memory that the kernels need.
type solverKernel struct {
	scratch *linearScratch // nil until needed, as is quads
	quads   *quadSolver
	lists   [mostSolvedLines]linearList
	order   []uint32                // the lines, in the order of their numbers of keys
	few     [mostSolvedLines]uint32 // room for up to so many
	many    []uint32                // and for more

	// Where lists without keys are written.
	spare       [BlockBytes]byte
	spareHeader byte
}

// solvedAt returns the number of lines that a kernel solves at once.
func solvedAt(r int) int {
	if cpu.Current() == cpu.AVX512 && linearShapesOf()[r].half {
		return mostSolvedLines
	}
	return solvedLines
}

// solve solves the given number of lines, the lists' first ones, in the order of their numbers of keys. Kernels for
// AVX-512 take as long for one line as for all that they solve at once. For up to half of them those for AVX2, which
// solve one or four at once, take less: 0.2 to 0.9 of the time.
func (k *solverKernel) solve(r int, multiplier uint32, lines int) {
	if cpu.Current() != cpu.AVX512 || lines <= solvedAt(r)/2 {
		if k.quads == nil {
			k.quads = new(quadSolver)
		}
		k.quads.solve(r, multiplier, &k.lists, lines)
		return
	}
	if k.scratch == nil {
		k.scratch = new(linearScratch)
	}
	switch s := &linearShapesOf()[r]; {
	case s.wide:
		linearSolveWideAVX512(s, uint64(multiplier), &k.lists, k.scratch)
	case s.half:
		linearSolveHalfAVX512(s, uint64(multiplier), &k.lists, k.scratch)
	default:
		linearSolveAVX512(s, uint64(multiplier), &k.lists, k.scratch)
	}
}

// solveLines is LinearSolveLines. Lines that a kernel solves together take as long as the one with
// the most keys, so they are taken in the order of their numbers of keys. It reports whether there
// is a kernel.
func (k *solverKernel) solveLines(solver *fallback.LinearSolver, lines, headers []byte, r int, multiplier uint32, ends []int, hashes []uint64) bool {
	if cpu.Current() == cpu.Generic {
		return false
	}
	raceWriteLines(lines, len(ends))
	raceRead(hashes)
	raceWrite(headers)
	k.sortLines(ends)
	at := solvedAt(r)
	for next := k.order; len(next) > 0; next = next[min(at, len(next)):] {
		for i := range k.lists[:at] {
			k.lists[i] = linearList{unsafe.SliceData(hashes), 0, &k.spare[0], &k.spareHeader}
			if i >= len(next) {
				continue
			}
			line := int(next[i])
			from, to := 0, ends[line]
			if line > 0 {
				from = ends[line-1]
			}
			bytes, header := lines[line*BlockBytes:][:BlockBytes], &headers[line]
			if to-from > lineKeys {
				*header = fallback.LinearSolve(solver, bytes, r, multiplier, hashes[from:to])
			} else if to > from {
				k.lists[i] = linearList{&hashes[from], to - from, &bytes[0], header}
			} else {
				clear(bytes)
				*header = 0
			}
		}
		k.solve(r, multiplier, min(at, len(next)))
	}
	return true
}

func linearBumped(dst []uint64, headers []byte, multiplier uint32, ends []int, hashes []uint64) int {
	if len(hashes) == 0 || cpu.Current() != cpu.AVX512 {
		return fallback.LinearBumped(dst, headers, multiplier, ends, hashes)
	}
	raceRead(headers)
	raceRead(hashes)
	raceWrite(dst[:len(hashes)])
	return linearBumpedAVX512(&dst[0], &headers[0], uint64(multiplier), &ends[0], len(ends), &hashes[0])
}

// sortLines sorts the lines by their numbers of keys: few by insertion, and many by counting.
func (k *solverKernel) sortLines(ends []int) {
	if len(ends) <= mostSolvedLines {
		k.sortFewLines(ends)
		return
	}
	var next [lineKeys + 2]uint32
	from := 0
	for _, to := range ends {
		next[min(to-from, lineKeys)+1]++
		from = to
	}
	for i := range len(next) - 1 {
		next[i+1] += next[i]
	}
	k.many = slices.Grow(k.many[:0], len(ends))[:len(ends)]
	k.order = k.many
	from = 0
	for line, to := range ends {
		n := min(to-from, lineKeys)
		k.order[next[n]] = uint32(line)
		next[n]++
		from = to
	}
}

func (k *solverKernel) sortFewLines(ends []int) {
	var counts [mostSolvedLines]int
	k.order = k.few[:len(ends)]
	from := 0
	for line, to := range ends {
		n, at := to-from, line
		for ; at > 0 && counts[at-1] > n; at-- {
			counts[at], k.order[at] = counts[at-1], k.order[at-1]
		}
		counts[at], k.order[at] = n, uint32(line)
		from = to
	}
}
