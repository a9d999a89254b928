//go:build !purego

package asm

import (
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// mostTransposed rows take some 5 microseconds.
const mostTransposed = 1024

func slicedHits(level cpu.Level, dst *int, room int, tile *byte, rows *uint64, n, lines, first int) (found int) {
	if level == cpu.AVX512 {
		return slicedHits512(dst, room, tile, rows, n, lines, first)
	}
	return slicedHits256(dst, room, tile, rows, n, lines, first)
}

func slicedKeys(level cpu.Level, dst, tile *byte, rows *uint64, probes, keys int) {
	if level == cpu.AVX512 {
		slicedKeys512(dst, tile, rows, probes, keys)
	} else {
		slicedKeys256(dst, tile, rows, probes, keys)
	}
}

func sliceBodies(tile []byte, stride, column int, bodies [][]byte) {
	if cpu.Current() == cpu.Generic {
		fallback.SliceBodies(tile, stride, column, bodies)
		return
	}
	const together = 32
	var sources [together]*byte
	fallback.EachPiece(column, bodies, together, func(from, end, column int, bodies [][]byte) {
		shift := column % together
		for i := range sources { // those beside the bodies do not matter
			sources[i] = &bodies[min(max(i-shift, 0), len(bodies)-1)][from]
		}
		mask := ^uint32(0) >> (together - len(bodies)) << shift
		slicePiece(&tile[8*from*stride+column/together*4], stride, &sources, (end-from)/8, mask)
	})
}

func unsliceBodies(bodies [][]byte, tile []byte, stride, column int) {
	if cpu.Current() == cpu.Generic {
		fallback.UnsliceBodies(bodies, tile, stride, column)
		return
	}
	const together = 64
	var results [together]*byte
	var other [fallback.PieceBytes]byte
	fallback.EachPiece(column, bodies, together, func(from, end, column int, bodies [][]byte) {
		shift := column % together
		for i := range results {
			results[i] = &other[0]
			if i := i - shift; uint(i) < uint(len(bodies)) {
				results[shift+i] = &bodies[i][from]
			}
		}
		unslicePiece(&results, &tile[8*from*stride+column/together*8], stride, (end-from)/4)
	})
}

func transposeWords(dst []uint64, dstWords int, src []uint64, srcWords int) {
	if cpu.Current() == cpu.Generic {
		fallback.TransposeWords(dst, dstWords, src, srcWords)
		return
	}
	// A call reads at most mostTransposed rows.
	var results [64]*byte
	for at := 0; len(src) > 0; {
		rows := min(mostTransposed, len(src)/srcWords)
		for j := range srcWords {
			for i := range results {
				results[i] = (*byte)(unsafe.Pointer(&dst[(64*j+i)*dstWords+at]))
			}
			unslicePiece(&results, (*byte)(unsafe.Pointer(&src[j])), 8*srcWords, rows/32)
		}
		at, src = at+rows/64, src[rows*srcWords:]
	}
}
