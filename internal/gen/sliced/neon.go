package sliced

import (
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Registers of the kernels for NEON.
const (
	neonDst, neonEnd, neonTile, neonRows, neonRowsEnd, neonLines, neonFirst neon.X = 0, 1, 2, 3, 4, 5, 6

	neonAt, neonRow, neonAhead             neon.X = 7, 8, 9
	neonWords, neonNonzero, neonShift      neon.X = 10, 11, 12
	neonWord, neonColumn, neonBit, neonKey neon.X = 13, 14, 15, 16

	neonLine   neon.V = 0 // four
	neonLoaded neon.V = 4 // four
	neonPlaces neon.V = 8 // 1<<i in byte i of each half
)

// NEON emits the kernels that read rows.
func NEON(f *kernel.File) {
	hitsNEON(f)
	keysNEON(f)
	fn := neon.NewFunction(f, "slicedPrefetch", "func(tile *byte, rows *uint64, n int)",
		"slicedPrefetch prefetches the first line of n rows, at least one.")
	fn.Argument(neonTile, "tile")
	fn.Argument(neonAt, "rows")
	fn.Argument(neonLines, "n")
	fn.Label("row")
	fn.LdrNext(neonRow, neonAt)
	fn.AddShifted(neonRow, neonTile, neonRow, 0)
	fn.PrefetchL1(neonRow, 0)
	fn.SubsI(neonLines, neonLines, 1)
	fn.Bne("row")
	fn.Return()
}

// hitsNEON emits the kernel for one key. It works as amd64's.
func hitsNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "slicedHitsNEON", "func(dst *int, room int, tile *byte, rows *uint64, n, lines, first int) (found int)",
		"slicedHitsNEON lists the columns whose bits are set in all of n rows, at least one, counted from first on. It reads",
		"the first lines of the rows, at least one. If there are more columns than room, found is larger than that.")
	fn.Argument(neonDst, "dst")
	fn.Argument(neonEnd, "room")
	fn.AddShifted(neonEnd, neonDst, neonEnd, 3)
	fn.Argument(neonTile, "tile")
	fn.Argument(neonRows, "rows")
	fn.Argument(neonRowsEnd, "n")
	fn.AddShifted(neonRowsEnd, neonRows, neonRowsEnd, 3)
	fn.Argument(neonLines, "lines")
	fn.Argument(neonFirst, "first")
	fn.Frame(neonWords, groupLines*shared.LineBytes)
	const places = 0x8040201008040201
	fn.Constant(neonAt, "places", places, places)
	fn.LdrQ(neonPlaces, neonAt, 0)

	fn.Label("group")
	fn.MovI(neonNonzero, 0)
	fn.MovI(neonShift, 0)
	fn.Label("line")
	fn.AddI(neonAt, neonRows, 0)
	fn.MovI(neonAhead, aheadLines*shared.LineBytes)
	fn.CmpI(neonLines, aheadLines+1)
	fn.CselHS(neonAhead, neonAhead, neon.Zero) // a row's end is nearer
	andNEON(fn, func() {
		fn.AddShifted(neonRow, neonRow, neonAhead, 0)
		fn.PrefetchL1(neonRow, 0)
	})
	fn.AddShifted(neonWord, neonWords, neonShift, 3)
	fn.StpQ(neonLine, neonLine+1, neonWord, 0)
	fn.StpQ(neonLine+2, neonLine+3, neonWord, shared.LineBytes/2)
	for i := range neon.V(4) {
		fn.CmtstD2(neonLine+i, neonLine+i, neonLine+i)
	}
	fn.Uzp1S4(neonLine, neonLine, neonLine+1)
	fn.Uzp1S4(neonLine+2, neonLine+2, neonLine+3)
	fn.Uzp1H8(neonLine, neonLine, neonLine+2)
	fn.Uzp1B16(neonLine, neonLine, neonLine)
	fn.AndB16(neonLine, neonLine, neonPlaces)
	for range 3 {
		fn.AddpB16(neonLine, neonLine, neonLine)
	}
	fn.FmovFromD(neonBit, neonLine)
	fn.Ubfx(neonBit, neonBit, 0, lineWords)
	fn.Lsl(neonBit, neonBit, neonShift)
	fn.Orr(neonNonzero, neonNonzero, neonBit)
	fn.AddI(neonShift, neonShift, lineWords)
	fn.AddI(neonTile, neonTile, shared.LineBytes)
	fn.SubsI(neonLines, neonLines, 1)
	fn.Beq("list")
	fn.CmpI(neonShift, wordColumns)
	fn.Bne("line")

	fn.Label("list")
	fn.CmpI(neonNonzero, 0)
	fn.Beq("next")
	lowest(fn, neonColumn, neonNonzero)
	fn.LdrAt(neonWord, neonWords, neonColumn)
	fn.AddShifted(neonColumn, neonFirst, neonColumn, 6)
	fn.Label("bit")
	fn.Cmp(neonEnd, neonDst)
	fn.Beq("full")
	lowest(fn, neonBit, neonWord)
	fn.AddShifted(neonBit, neonColumn, neonBit, 0)
	fn.Str(neonBit, neonDst, 0)
	fn.AddI(neonDst, neonDst, 8)
	fn.CmpI(neonWord, 0)
	fn.Bne("bit")
	fn.B("list")
	fn.Label("next")
	fn.AddI(neonFirst, neonFirst, groupLines*lineWords*wordColumns)
	fn.CmpI(neonLines, 0)
	fn.Bne("group")
	fn.Label("done")
	fn.Argument(neonAt, "dst")
	fn.Sub(neonDst, neonDst, neonAt)
	fn.LsrI(neonDst, neonDst, 3)
	fn.Result(neonDst, "found")
	fn.Return()
	fn.Label("full")
	fn.AddI(neonDst, neonDst, 8)
	fn.B("done")
}

// lowest emits the number of the lowest bit of a word, which becomes 0.
func lowest(fn *neon.Function, to, word neon.X) {
	fn.Rbit(to, word)
	fn.Clz(to, to)
	fn.SubI(neonRow, word, 1)
	fn.And(word, word, neonRow)
}

// andNEON emits the AND of a line of the rows whose offsets are between two addresses, and what is done with each row.
func andNEON(fn *neon.Function, then func()) {
	for i := range neon.V(4) {
		fn.MoviB16(neonLine+i, 0xff)
	}
	fn.Label("row")
	fn.LdrNext(neonRow, neonAt)
	fn.AddShifted(neonRow, neonTile, neonRow, 0)
	fn.LdpQ(neonLoaded, neonLoaded+1, neonRow, 0)
	fn.LdpQ(neonLoaded+2, neonLoaded+3, neonRow, shared.LineBytes/2)
	for i := range neon.V(4) {
		fn.AndB16(neonLine+i, neonLine+i, neonLoaded+i)
	}
	then()
	fn.Cmp(neonAt, neonRowsEnd)
	fn.Bne("row")
}

// keysNEON emits the kernel for several keys, of which each has a line as its answer.
func keysNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "slicedKeysNEON", "func(dst, tile *byte, rows *uint64, probes, keys int)",
		"slicedKeysNEON stores the AND of a line of each key's rows: probes rows, at least one, for each of some keys, at least one.")
	const probes = neonLines
	fn.Argument(neonDst, "dst")
	fn.Argument(neonTile, "tile")
	fn.Argument(neonAt, "rows")
	fn.Argument(probes, "probes")
	fn.Argument(neonKey, "keys")
	fn.Label("key")
	fn.AddShifted(neonRowsEnd, neonAt, probes, 3)
	andNEON(fn, func() {})
	fn.StpQ(neonLine, neonLine+1, neonDst, 0)
	fn.StpQ(neonLine+2, neonLine+3, neonDst, shared.LineBytes/2)
	fn.AddI(neonDst, neonDst, shared.LineBytes)
	fn.SubsI(neonKey, neonKey, 1)
	fn.Bne("key")
	fn.Return()
}
