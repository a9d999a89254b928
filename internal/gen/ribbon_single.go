package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A ribbonSource is where a kernel for one key finds the filter: in memory or registers.
type ribbonSource struct{ body, starts, seed, columns, fewer, last, unitBytes Op }

// ribbonSingles emits the kernels that look up one key in a prepared filter, or in a filter's bytes.
func ribbonSingles(f *kernel.File) {
	entry := func(level kernel.Level, name string) {
		fn := f.Entry(level, name, contains)
		filter := fn.GP64()
		fn.MOVQ(prepared, filter) // products are in AX, too
		field := fieldOf(fn, filter)
		ribbonSource{
			field("body"), field("ribbon.Starts"), field("ribbon.Seed"), field("ribbon.Columns"), field("ribbon.Fewer"),
			field("lastSegment"), field("unitBytes"),
		}.lookUp(fn, level)
	}
	entry(kernel.AVX512, "ribbonContainsAVX512")
	entry(kernel.AVX2, "ribbonContainsAVX2")
	entries(f, "ribbonEntries", "ribbonContainsGo", "ribbonContainsAVX2", "ribbonContainsAVX512", "ribbonContainsAVX512")
	single := func(level kernel.Level, name, doc, other string) {
		fn := f.Function(level, name, ofBytes, name+" is "+doc)
		testLevel(fn, level)
		ribbonOfBytes(fn).lookUp(fn, level)
		fn.Label("other")
		fn.TailCall(other)
	}
	single(kernel.AVX512, "ribbonContainsBytes", "RibbonContains at the given level.", "ribbonContainsAVX2Bytes")
	single(kernel.AVX2, "ribbonContainsAVX2Bytes", "where ribbonContainsBytes continues without AVX-512.", "ribbonContainsOther")
}

// ribbonOfBytes finds the shape of bytes: segments, and a trailer of 0xfe, the seed, and the number of
// blocks in three bytes.
func ribbonOfBytes(fn *kernel.Function) (s ribbonSource) {
	starts, seed, columns, last, unitBytes, least := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	body, fewer, trailer := trailed(fn, 5)
	segments, blocks := fewer, starts
	fn.CMPQ(segments, U8(ribbonSlots/8))
	fn.JL(LabelRef("other"))
	fn.CMPB(trailer, U8(0xfe))
	fn.JNE(LabelRef("other"))
	fn.MOVL(trailer.Offset(1), blocks.As32())
	fn.MOVBLZX(blocks.As8(), seed.As32())
	fn.SHRL(U8(8), blocks.As32())
	fn.CMPL(blocks.As32(), U8(2))
	fn.JCS(LabelRef("other"))
	fn.TESTB(U8(ribbonSlots/8-1), segments.As8())
	fn.JNE(LabelRef("other"))
	fn.SHRQ(U8(4), segments)
	fn.CMPQ(segments, U32(mostRibbonColumns*(1<<24-1)))
	fn.JHI(LabelRef("other"))
	fn.LEAQ(Mem{Base: segments, Index: blocks, Scale: 1, Disp: -1}, reg.RAX)
	fn.MOVQ(reg.RAX, reg.RDX)
	fn.SHRQ(U8(32), reg.RDX)
	fn.DIVL(blocks.As32()) // there are at least two blocks, and less than 2^33 segments
	fn.MOVL(reg.EAX, columns.As32())
	fn.CMPL(columns.As32(), U8(mostRibbonColumns))
	fn.JHI(LabelRef("other"))
	fn.MOVQ(columns, last)
	fn.IMULQ(blocks, last)
	fn.SUBQ(segments, last)
	fn.MOVQ(last, fewer) // columns*blocks - segments
	fn.NEGQ(last)        // carries if there are any
	fn.MOVQ(columns, least)
	fn.SBBQ(U8(0), least)
	fn.CMPQ(least, U8(groupColumns))
	fn.JCS(LabelRef("other"))
	fn.LEAQ(Mem{Base: blocks, Disp: -1}, last)
	fn.IMULQ(columns, last)
	fn.SUBQ(fewer, last)
	fn.LEAQ(Mem{Base: columns, Disp: unitColumns - 1}, unitBytes)
	fn.ANDL(I8(-unitColumns), unitBytes.As32())
	fn.SHLL(U8(4), unitBytes.As32())
	fn.SHLQ(U8(7), starts)
	fn.SUBQ(U8(ribbonSlots-1), starts)
	half := fn.GP64()
	fn.MOVQ(U64(ribbonSeed), half)
	fn.IMULQ(half, seed)
	fn.MOVL(seed.As32(), half.As32())
	fn.ANDL(U32(0xf0f0f0f0), half.As32())
	fn.SHRL(U8(4), half.As32())
	fn.XORL(half.As32(), seed.As32())
	isOK(fn)
	return ribbonSource{body, starts, seed, columns, fewer, last, unitBytes}
}

// ribbonSpread repeats the halves of a row in vectors.
func ribbonSpread(fn *kernel.Function, level kernel.Level, row reg.VecVirtual) (own, next reg.VecVirtual) {
	if level == kernel.AVX512 {
		own, next = fn.ZMM(), fn.ZMM()
		fn.VSHUFI64X2(U8(0b00_00_00_00), row.AsZ(), row.AsZ(), own)
		fn.VSHUFI64X2(U8(0b01_01_01_01), row.AsZ(), row.AsZ(), next)
		return own, next
	}
	own, next = fn.YMM(), fn.YMM()
	fn.VPERMQ(U8(0b01_00_01_00), row, own)
	fn.VPERMQ(U8(0b11_10_11_10), row, next)
	return own, next
}

// lookUp looks the hash up, and returns.
func (source ribbonSource) lookUp(fn *kernel.Function, level kernel.Level) {
	hash := fn.GP64()
	fn.Load(fn.Param("hash"), hash)
	answer := fn.Address(fn.ReturnIndex(0))
	times := func(factor uint64) {
		by := fn.GP64()
		fn.MOVQ(U64(factor), by)
		fn.IMULQ(by, hash)
	}
	fn.XORQ(source.seed, hash)
	times(ribbonHash)
	block, shift := fn.GP64(), fn.GP64()
	fn.MOVQ(source.starts, reg.RAX)
	fn.MULQ(hash)
	fn.MOVQ(reg.RDX, shift)
	fn.MOVQ(reg.RDX, block)
	fn.ANDL(U8(ribbonSlots-1), shift.As32())
	fn.SHRQ(U8(7), block)
	times(ribbonRow)

	fn.Comment("The columns.")
	own, next, last, lower := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVQ(source.columns, last)
	fn.MOVQ(last, own)
	fn.IMULQ(block, own)
	fn.MOVQ(source.fewer, lower)
	fn.CMPQ(block, lower)
	fn.CMOVQCC(lower, block)
	fn.SBBQ(U8(0), last) // one less in the first blocks
	fn.SUBQ(block, own)
	fn.LEAQ(Mem{Base: own, Index: last, Scale: 1}, next)
	fn.CMPQ(next, source.last)
	fn.CMOVQHI(source.last, next)
	fn.SUBQ(U8(groupColumns), last)
	for _, columns := range []reg.GPVirtual{own, next, last} {
		fn.SHLQ(U8(4), columns)
	}
	fn.ADDQ(source.body, own)
	fn.ADDQ(source.body, next)

	fn.Comment("The row.")
	key := ribbonKey{own: own, next: next, last: last, result: hash}
	key.row, key.rowNext = ribbonSpread(fn, level, ribbonRowOf(fn, hash, shift))
	fn.BSWAPQ(hash)

	fn.Comment("The units of columns.")
	unit, at := newRibbonUnit(fn, level), fn.GP64()
	fn.XORL(at.As32(), at.As32())
	fn.Label("unit")
	wrong := key.inUnit(fn, unit, at)
	fn.TESTL(wrong.As32(), wrong.As32())
	fn.JNZ(LabelRef("answer"))
	fn.CMPQ(at, source.unitBytes)
	fn.JLT(LabelRef("unit"))
	fn.Label("answer")
	fn.SETEQ(answer) // at the end of the units the last two are equal
	fn.VZEROUPPER()
	fn.RET()
}

// ribbonRowOf returns the four words of a row, shifted. Shifts by 64 and more, and by less than
// nothing, give 0.
func ribbonRowOf(fn *kernel.Function, high, shift reg.GPVirtual) reg.VecVirtual {
	const (
		none  = 1 << 20
		under = 1<<64 - 64
	)
	broadcast := func(word reg.GPVirtual) reg.VecVirtual {
		v := fn.YMM()
		fn.VMOVQ(word, v.AsX())
		fn.VPBROADCASTQ(v.AsX(), v)
		return v
	}
	highs, by, lows := broadcast(high), broadcast(shift), fn.YMM()
	fn.VPXOR(fn.Words("ribbonLowers", slices.Repeat([]uint64{ribbonLower}, 4)...), highs, lows)
	fn.VPOR(fn.Words("ones", 1, 1, 1, 1), lows, lows)
	left := func(v reg.VecVirtual, more Mem) reg.VecVirtual {
		count := fn.YMM()
		fn.VPADDQ(more, by, count)
		fn.VPSLLVQ(count, v, count)
		return count
	}
	right := func(v reg.VecVirtual, from Mem) reg.VecVirtual {
		count := fn.YMM()
		fn.VMOVDQU(from, count)
		fn.VPSUBQ(by, count, count)
		fn.VPSRLVQ(count, v, count)
		return count
	}
	one, two := fn.YMM(), fn.YMM() // the low word, and high ones: once and twice
	fn.VPBLENDD(U8(0b00_00_00_11), lows, highs, one)
	fn.VPBLENDD(U8(0b00_00_11_11), lows, highs, two)
	row := left(one, fn.Words("shiftUp", 0, 0, under, none))
	for _, word := range []reg.VecVirtual{
		right(two, fn.Words("shiftDown", none, 64, 64, 128)),
		left(lows, fn.Words("shiftUpFar", none, under, none, none)),
		right(lows, fn.Words("shiftDownFar", none, none, 128, none)),
	} {
		fn.VPOR(word, row, row)
	}
	return row
}
