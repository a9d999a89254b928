//go:build !purego

package asm

//lint:file-ignore U1000 ribbon_solve_amd64.s uses the fields of ribbonWindows

import (
	"encoding/binary"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	windowColumns = 16 // that a kernel solves together, at most
	fewColumns    = 8  // that take less time together than more
)

// ribbonWindows are columns' bits of the 128 slots from the current one on.
type ribbonWindows struct {
	low, high [windowColumns]uint64
	shifts    [windowColumns]uint64 // of a slot's result, to the column's bit
	ones      [windowColumns]uint64
}

// RibbonColumnsSolved returns the number of columns that are solved together: fewer take about as
// long.
func RibbonColumnsSolved() int {
	if cpu.Current() == cpu.Generic {
		return fallback.RibbonColumnsSolved
	}
	return fewColumns
}

func (b *RibbonBand) solve(body []byte, shape *fallback.RibbonShape, first, end int) {
	if cpu.Current() == cpu.Generic {
		fallback.RibbonSolveColumns(body, shape, &b.band, first, end)
		return
	}
	for ; first < end; first += windowColumns {
		b.solveTogether(body, shape, first, min(end, first+windowColumns))
	}
}

// solveTogether solves at most windowColumns columns.
func (b *RibbonBand) solveTogether(body []byte, shape *fallback.RibbonShape, first, end int) {
	var w ribbonWindows
	for i := range w.shifts {
		w.shifts[i], w.ones[i] = uint64(first+i), 1
	}
	for slot := shape.Slots - fallback.RibbonBlockSlots; slot >= 0; slot -= fallback.RibbonBlockSlots {
		columns, at := shape.Block(uint(slot / fallback.RibbonBlockSlots))
		if int(columns) <= first {
			return // the blocks before have no more
		}
		if end-first > fewColumns { // a variable for the kernel would put w on the heap
			ribbonSolve16AVX2(&w, &b.band.Rows[slot], &b.band.Results[slot])
		} else {
			ribbonSolve8AVX2(&w, &b.band.Rows[slot], &b.band.Results[slot])
		}
		for i := range min(end, int(columns)) - first {
			segment := body[int(at)+(first+i)*fallback.RibbonSegmentBytes:][:fallback.RibbonSegmentBytes]
			binary.LittleEndian.PutUint64(segment, w.low[i])
			binary.LittleEndian.PutUint64(segment[8:], w.high[i])
		}
	}
}
