package fallback

import (
	"encoding/binary"
	"math/bits"
)

// RibbonSolveColumns writes the solution of a band's equations into a body of zeros, of the given
// shape: the columns from a first one up to the one before end, which do not depend on others. Slots
// without an equation are 0. Bytes beyond the columns are not written.
func RibbonSolveColumns(body []byte, shape *RibbonShape, band *RibbonBand, first, end int) {
	for ; first < end; first += RibbonColumnsSolved {
		shape.solve(body, band, uint(first), uint(min(RibbonColumnsSolved, end-first)))
	}
}

// RibbonColumnsSolved is the number of columns that are solved together: fewer take as long (processor not recorded).
const RibbonColumnsSolved = 4

// window is a column's bits of the 128 slots from the current one on.
type window struct{ low, high uint64 }

// solve writes n columns from a first one on, at most RibbonColumnsSolved.
func (s *RibbonShape) solve(body []byte, band *RibbonBand, first, n uint) {
	var windows [RibbonColumnsSolved]window
	for b := s.Slots/RibbonBlockSlots - 1; b >= 0; b-- {
		columns, at := s.Block(uint(b))
		if columns <= first {
			return // the blocks before have no more
		}
		rows := (*[RibbonBlockSlots][2]uint64)(band.Rows[b*RibbonBlockSlots:])
		results := (*[RibbonBlockSlots]uint32)(band.Results[b*RibbonBlockSlots:])
		solveBlock(&windows, rows, results, first)
		for i, w := range windows[:min(n, columns-first)] {
			segment := body[at+(first+uint(i))*RibbonSegmentBytes:][:RibbonSegmentBytes]
			binary.LittleEndian.PutUint64(segment, w.low)
			binary.LittleEndian.PutUint64(segment[8:], w.high)
		}
	}
}

// solveBlock moves the windows of four columns down over the slots of a block.
func solveBlock(windows *[RibbonColumnsSolved]window, rows *[RibbonBlockSlots][2]uint64, results *[RibbonBlockSlots]uint32, first uint) {
	w0, w1, w2, w3 := windows[0], windows[1], windows[2], windows[3]
	for i := RibbonBlockSlots - 1; i >= 0; i-- {
		low, high, result := rows[i][0], rows[i][1], uint64(results[i])>>(first%32)
		w0 = w0.next(low, high, result)
		w1 = w1.next(low, high, result>>1)
		w2 = w2.next(low, high, result>>2)
		w3 = w3.next(low, high, result>>3)
	}
	windows[0], windows[1], windows[2], windows[3] = w0, w1, w2, w3
}

// next returns the window that begins a slot earlier: that slot's equation makes the new bit.
func (w window) next(low, high, result uint64) window {
	w.high = w.high<<1 | w.low>>63
	w.low <<= 1
	w.low |= (uint64(bits.OnesCount64(w.low&low^w.high&high)) ^ result) & 1
	return w
}
