//go:build (!amd64 && !arm64) || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func appendSlicedHits(dst []int, tile []byte, rows []uint64, rowBytes, first int) []int {
	return fallback.AppendSlicedHits(dst, tile, rows, rowBytes, first)
}

func prefetchSliced([]byte, []uint64) {}

func andSlicedKeys(dst []uint64, tile []byte, rows []uint64, probes, words int) {
	fallback.AndSlicedKeys(dst, tile, rows, probes, words)
}

func sliceBodies(tile []byte, stride, column int, bodies [][]byte) {
	fallback.SliceBodies(tile, stride, column, bodies)
}

func unsliceBodies(bodies [][]byte, tile []byte, stride, column int) {
	fallback.UnsliceBodies(bodies, tile, stride, column)
}

func transposeWords(dst []uint64, dstWords int, src []uint64, srcWords int) {
	fallback.TransposeWords(dst, dstWords, src, srcWords)
}
