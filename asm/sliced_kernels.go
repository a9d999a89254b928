//go:build (amd64 || arm64) && !purego

package asm

import (
	"slices"
	"unsafe"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	// A call of a kernel lists the columns of 32 lines at most, which are 16,384. If there are more than 32 rows, it
	// reads 1,024 lines.
	mostListedLines = 32
	mostSlicedLines = 1024
)

func appendSlicedHits(dst []int, tile []byte, rows []uint64, rowBytes, first int) []int {
	level := cpu.Current()
	if rowBytes < slicedLine || level == cpu.Generic {
		return fallback.AppendSlicedHits(dst, tile, rows, rowBytes, first)
	}
	most := mostListedLines
	if len(rows) > mostSlicedLines/mostListedLines {
		most = max(1, mostSlicedLines/len(rows))
	}
	for at := 0; at < rowBytes; {
		lines, room := min(most, (rowBytes-at)/slicedLine), cap(dst)-len(dst)
		found := slicedHits(level, unsafe.SliceData(dst[len(dst):]), room, &tile[at], &rows[0], len(rows), lines, first+8*at)
		if found > room {
			dst = slices.Grow(dst, found+slicedLine)
			continue
		}
		dst = dst[:len(dst)+found]
		at += lines * slicedLine
	}
	return dst
}

func prefetchSliced(tile []byte, rows []uint64) { slicedPrefetch(&tile[0], &rows[0], len(rows)) }

func andSlicedKeys(dst []uint64, tile []byte, rows []uint64, probes, words int) {
	level := cpu.Current()
	if words != slicedLine/8 || level == cpu.Generic {
		fallback.AndSlicedKeys(dst, tile, rows, probes, words)
		return
	}
	most := max(1, mostSlicedLines/probes)
	for len(rows) > 0 {
		keys := min(most, len(rows)/probes)
		slicedKeys(level, (*byte)(unsafe.Pointer(&dst[0])), &tile[0], &rows[0], probes, keys)
		dst, rows = dst[keys*words:], rows[keys*probes:]
	}
}
