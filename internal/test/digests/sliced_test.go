package digests

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// slicedResults has digests of a tile's columns, made of bodies of which half of the bits are set, or more: of the hits
// of hashes, of many hashes' answers for a chunk of columns, and of the bodies that come back.
func slicedResults() (all []result) {
	for i, format := range []asm.Format{asm.FastLocal, asm.SplitBlock, asm.Blobloom} {
		of := []string{"FastLocal", "SplitBlock", "Blobloom"}[i]
		for _, rowBytes := range []int{8, 16, 32, 64, 192, 576, 1344} {
			const probes, blocks = 8, 3
			size, stride := blocks*asm.BlockBytes, rowBytes+8
			if format == asm.SplitBlock {
				size = blocks * asm.SplitBlockBytes
			}
			tile, bodies := aligned.Make(8*size*stride), make([][]byte, 8*rowBytes-5)
			for i := range bodies {
				bodies[i] = patterns()[1+i%5][i%1000*asm.BlockBytes:][:size]
			}
			var hits, answers, columns []byte
			for at := 0; at < len(bodies); {
				n := min(1+at*7%90, len(bodies)-at)
				asm.SliceBodies(tile, stride, at, bodies[at:at+n])
				at += n
			}
			var found []int
			var rows, many []uint64
			for _, hash := range vectors.Hashes(96, 300) {
				rows = asm.SlicedRows(rows[:0], format, blocks, hash, probes, stride)
				found = asm.AppendSlicedHits(found[:0], tile, rows, rowBytes, 7)
				for _, column := range found {
					hits = binary.LittleEndian.AppendUint64(hits, uint64(column))
				}
				hits, many = append(hits, 0xff), append(many, rows...)
			}
			words := min(8, rowBytes/8)
			and := make([]uint64, len(many)/probes*words)
			asm.AndSlicedKeys(and, tile, many, probes, words)
			for _, word := range and {
				answers = binary.LittleEndian.AppendUint64(answers, word)
			}
			back := slices.Collect(slices.Chunk(make([]byte, len(bodies)*size), size))
			asm.UnsliceBodies(back, tile, stride, 0)
			columns = slices.Concat(back...)
			name := fmt.Sprintf("sliced %s, rows of %d bytes: ", of, rowBytes)
			all = append(all,
				result{name + "tile", "SliceBodies", digestOf(tile)}, result{name + "hits", "AppendSlicedHits", digestOf(hits)},
				result{name + "answers", "AndSlicedKeys", digestOf(answers)}, result{name + "bodies", "UnsliceBodies", digestOf(columns)},
				result{name + "bodies", "as they were", digestOf(slices.Concat(bodies...))})
		}
	}
	return all
}
