package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/testmem"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
)

// FuzzSlicedKernels compares every level's kernels of sliced tiles with fallback's: a tile of a repeated piece between
// unreadable pages, any rows, and bodies made of them.
func FuzzSlicedKernels(f *testing.F) {
	for level := range len(levels()) {
		for i, piece := range [][]byte{nil, {0xff}, {0, 0, 0, 0, 0, 16, 0, 0}, []byte("\xf7\xff\xff\xff\x7f\xff\xef\xff\xff\xfe\xff"), []byte("some bytes")} {
			for _, lines := range []byte{0, 1, 2, 3, 4, 7, 12, 66} {
				f.Add(byte(level), lines, byte(37*i)+lines, byte(64*i)|lines, uint16(i*i*911), piece)
			}
		}
	}
	const untouched, most = -2, 1 << 15
	all, memory := levels(), testmem.Between(f, most)
	f.Fuzz(func(t *testing.T, level, lines, probes, room byte, place uint16, piece []byte) {
		defer cpu.Limit(all[int(level)%len(all)])()
		rowBytes := 8 << (lines % 3)
		if lines > 2 {
			rowBytes = min(64*int(lines-2), asm.MostSlicedBytes)
		}
		size := min(rowBytes+int(place)%5000, most)
		tile := memory[len(memory)-size:]
		if place&1 != 0 {
			tile = memory[place>>1%64:][:size:size]
		}
		clear(tile)
		for rest := tile; len(rest) > 0 && len(piece) > 0; {
			rest = rest[copy(rest, piece):]
		}
		before := bytes.Clone(tile)
		rows := vectors.Hashes(uint64(place), 1+int(probes))
		for i := range rows {
			rows[i] %= uint64(size-rowBytes) + 1
		}
		want := fallback.AppendSlicedHits(nil, tile, rows, rowBytes, int(place))
		dst := slices.Repeat([]int{untouched}, int(room)+8)
		got := asm.AppendSlicedHits(dst[:0:room], tile, rows, rowBytes, int(place))
		if !slices.Equal(got, want) {
			t.Fatalf("%d rows of %d bytes: %v, want %v", len(rows), rowBytes, got, want)
		}
		if i := slices.IndexFunc(dst[min(len(want), int(room)):], func(n int) bool { return n != untouched }); i >= 0 {
			t.Fatalf("%d rows of %d bytes: wrote behind %d hits, with room for %d", len(rows), rowBytes, len(want), room)
		}
		words := min(rowBytes/8, 8)
		and, wantAnd := make([]uint64, len(rows)*words), make([]uint64, len(rows)*words)
		asm.AndSlicedKeys(and, tile, rows, 1, words)
		fallback.AndSlicedKeys(wantAnd, tile, rows, 1, words)
		if !slices.Equal(and, wantAnd) || !bytes.Equal(tile, before) {
			t.Fatalf("%d keys of %d words: %x, want %x", len(rows), words, and, wantAnd)
		}

		stride := max(8, rowBytes/8/8*8)
		bodyBytes := size / stride / 64 * 8
		if bodyBytes == 0 {
			return
		}
		n := min(1+int(probes), 8*stride)
		column := int(room) % (8*stride - n + 1)
		newBodies := func() [][]byte { return slices.Collect(slices.Chunk(make([]byte, n*bodyBytes), bodyBytes)) }
		bodies, wantBodies := newBodies(), newBodies()
		asm.UnsliceBodies(bodies, tile, stride, column)
		fallback.UnsliceBodies(wantBodies, tile, stride, column)
		if !slices.EqualFunc(bodies, wantBodies, bytes.Equal) {
			t.Fatalf("%d bodies of %d bytes, from column %d on, rows %d bytes apart: %x, want %x", n, bodyBytes, column, stride, bodies, wantBodies)
		}
		for i := range bodies {
			copy(bodies[i], bodies[(i*7+1)%n])
			bodies[i][i%len(bodies[i])] ^= byte(probes)
		}
		asm.SliceBodies(tile, stride, column, bodies)
		fallback.SliceBodies(before, stride, column, bodies)
		if !bytes.Equal(tile, before) {
			t.Fatalf("%d bodies of %d bytes, from column %d on, rows %d bytes apart: another tile", n, bodyBytes, column, stride)
		}
	})
}
