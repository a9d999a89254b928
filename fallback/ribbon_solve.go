package fallback

import (
	"encoding/binary"
	"math/bits"
)

// RibbonSolve writes the solution of a band's equations into a body of zeros, of the given
// shape. Slots without an equation are 0. Bytes beyond the columns are not written.
func RibbonSolve(body []byte, shape *RibbonShape, band *RibbonBand) {
	var windows [MostRibbonColumns][2]uint64 // each column's bits of the 128 slots from the current one on
	for b := int(shape.blocks) - 1; b >= 0; b-- {
		columns, at := shape.block(uint(b))
		rows := band.rows[b*RibbonBlockSlots:][:RibbonBlockSlots]
		results := band.results[b*RibbonBlockSlots:][:RibbonBlockSlots]
		solveBlock(windows[:columns], rows, results)
		for _, window := range windows[:columns] {
			segment := body[at:][:RibbonSegmentBytes]
			binary.LittleEndian.PutUint64(segment, window[0])
			binary.LittleEndian.PutUint64(segment[8:], window[1])
			at += RibbonSegmentBytes
		}
	}
}

// solveBlock moves the windows of columns down over the slots of a block.
func solveBlock(windows [][2]uint64, rows [][2]uint64, results []uint32) {
	for i := len(rows) - 1; i >= 0; i-- {
		low, high, result := rows[i][0], rows[i][1], uint64(results[i])
		for j := range windows {
			w := &windows[j]
			shiftedLow, shiftedHigh := w[0]<<1, w[1]<<1|w[0]>>63
			sum := uint64(bits.OnesCount64(shiftedLow&low^shiftedHigh&high)) ^ result
			w[0], w[1] = shiftedLow|sum&1, shiftedHigh
			result >>= 1
		}
	}
}
