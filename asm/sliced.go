package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/fallback"
)

// Sliced filters: package fallback's sliced.go says what a tile is.

const slicedLine = 64 // bytes of a row

// MostSlicedBytes is the size of the longest row that a kernel reads, of 32,768 columns.
const MostSlicedBytes = 4096

// AppendSlicedHits is [fallback.AppendSlicedHits] of rows of 8, 16 or 32 bytes, or of a multiple of 64 up to
// MostSlicedBytes. Like the other functions of tiles, it panics before reading if a row ends behind the tile.
func AppendSlicedHits(dst []int, tile []byte, rows []uint64, rowBytes, first int) []int {
	if rowBytes%slicedLine != 0 && rowBytes != 8 && rowBytes != 16 && rowBytes != 32 || uint(rowBytes-1) >= MostSlicedBytes {
		panic(fmt.Sprintf("asm: rows must have 8, 16, 32 or a multiple of 64 bytes up to %d, not %d", MostSlicedBytes, rowBytes))
	}
	checkRows(tile, rows, rowBytes)
	raceReadRows(tile, rows, rowBytes)
	return appendSlicedHits(dst, tile, rows, rowBytes, first)
}

// PrefetchSliced prefetches the first line of every row, where there is an instruction for it. A lookup of several keys
// calls it a key ahead if tiles are in no cache, and one of several tiles a tile ahead.
func PrefetchSliced(tile []byte, rows []uint64) {
	checkRows(tile, rows, 1)
	prefetchSliced(tile, rows)
}

// AndSlicedKeys is [fallback.AndSlicedKeys], with room for all answers.
func AndSlicedKeys(dst []uint64, tile []byte, rows []uint64, probes, words int) {
	if probes < 1 || words < 0 || len(rows)%probes != 0 || uint64(len(dst)) < uint64(len(rows)/probes)*uint64(words) {
		panic(fmt.Sprintf("asm: %d rows, %d for each key, and %d words for its answer, with room for %d", len(rows), probes, words, len(dst)))
	}
	if len(rows) == 0 || words == 0 {
		return
	}
	checkRows(tile, rows, 8*words)
	raceReadRows(tile, rows, 8*words)
	raceWrite(dst[:len(rows)/probes*words])
	andSlicedKeys(dst, tile, rows, probes, words)
}

// SliceBodies is [fallback.SliceBodies].
func SliceBodies(tile []byte, stride, column int, bodies [][]byte) {
	checkSlices(tile, stride, column, bodies)
	raceReadKeys(bodies)
	raceWriteColumns(tile, stride, column, bodies)
	sliceBodies(tile, stride, column, bodies)
}

// UnsliceBodies is [fallback.UnsliceBodies].
func UnsliceBodies(bodies [][]byte, tile []byte, stride, column int) {
	checkSlices(tile, stride, column, bodies)
	raceReadColumns(tile, stride, column, bodies)
	raceWriteBodies(bodies)
	unsliceBodies(bodies, tile, stride, column)
}

// TransposeWords is [fallback.TransposeWords], with room for all of dst.
func TransposeWords(dst []uint64, dstWords int, src []uint64, srcWords int) {
	if srcWords < 1 || len(src)%(64*srcWords) != 0 {
		panic(fmt.Sprintf("asm: %d words are no multiple of 64 rows of %d", len(src), srcWords))
	}
	words := len(src) / (64 * srcWords) // of a row of dst
	if words == 0 {
		return
	}
	if dstWords < words || len(dst) < (64*srcWords-1)*dstWords+words {
		panic(fmt.Sprintf("asm: %d rows of %d words, %d words apart, in %d", 64*srcWords, words, dstWords, len(dst)))
	}
	if raceEnabled {
		raceRead(src)
		for row := range 64 * srcWords {
			raceWrite(dst[row*dstWords:][:words])
		}
	}
	transposeWords(dst, dstWords, src, srcWords)
}

// SlicedRows appends the offsets of a hash's rows, one for each probe, in a tile of filters of the given format and
// number of blocks, whose rows are stride bytes apart.
func SlicedRows(rows []uint64, format Format, blocks, hash uint64, probes, stride int) []uint64 {
	switch format {
	case FastLocal:
		return fallback.FastLocalSlicedRows(rows, uint32(blocks), hash, probes, stride)
	case SplitBlock:
		return fallback.SplitBlockSlicedRows(rows, uint32(blocks), hash, stride)
	case Blobloom:
		return fallback.BlobloomSlicedRows(rows, uint32(blocks), hash, probes, stride)
	}
	panic(fmt.Sprintf("asm: format %d cannot be sliced", format))
}

// checkRows requires at least one row, and rows within the tile.
func checkRows(tile []byte, rows []uint64, rowBytes int) {
	most := uint64(len(tile)) - uint64(rowBytes)
	for _, row := range rows {
		if row > most || rowBytes > len(tile) {
			panic(fmt.Sprintf("asm: a row of %d bytes at %d, in a tile of %d", rowBytes, row, len(tile)))
		}
	}
	if len(rows) == 0 {
		panic("asm: no rows")
	}
}

// checkSlices requires bodies of one length, whose columns are within the tile's rows.
func checkSlices(tile []byte, stride, column int, bodies [][]byte) {
	if len(bodies) == 0 || column < 0 {
		panic(fmt.Sprintf("asm: %d bodies from column %d on", len(bodies), column))
	}
	size := len(bodies[0])
	for _, body := range bodies {
		if len(body) != size || size%8 != 0 {
			panic(fmt.Sprintf("asm: bodies must have one length, a multiple of 8: %d and %d", size, len(body)))
		}
	}
	end := (uint64(column) + uint64(len(bodies)) + 63) / 64 * 8 // of a row
	if size > 0 && (uint64(stride) < end || uint64(len(tile)) < end || 8*uint64(size)-1 > (uint64(len(tile))-end)/uint64(stride)) {
		panic(fmt.Sprintf("asm: %d rows, %d bytes apart, in a tile of %d bytes, have no columns from %d to %d",
			8*uint64(size), stride, len(tile), column, column+len(bodies)-1))
	}
}
