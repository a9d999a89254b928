//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func slicedHits(_ cpu.Level, dst *int, room int, tile *byte, rows *uint64, n, lines, first int) (found int) {
	return slicedHitsNEON(dst, room, tile, rows, n, lines, first)
}

func slicedKeys(_ cpu.Level, dst, tile *byte, rows *uint64, probes, keys int) {
	slicedKeysNEON(dst, tile, rows, probes, keys)
}

// Bodies are transposed in Go: NEON has no instruction that gathers a bit of each byte.

func sliceBodies(tile []byte, stride, column int, bodies [][]byte) {
	fallback.SliceBodies(tile, stride, column, bodies)
}

func unsliceBodies(bodies [][]byte, tile []byte, stride, column int) {
	fallback.UnsliceBodies(bodies, tile, stride, column)
}

func transposeWords(dst []uint64, dstWords int, src []uint64, srcWords int) {
	fallback.TransposeWords(dst, dstWords, src, srcWords)
}
