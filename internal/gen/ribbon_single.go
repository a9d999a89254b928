package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// ribbonSingle512 looks up one key.
func ribbonSingle512(f *kernel.File) {
	fn := ribbonSingle(f, kernel.AVX512, "ribbonContains", "is Contains, at the level that the filter has.", levelAVX512, func(fn *kernel.Function, row reg.VecVirtual) (own, next reg.VecVirtual) {
		own, next = fn.ZMM(), fn.ZMM()
		fn.VSHUFI64X2(U8(0b00_00_00_00), row.AsZ(), row.AsZ(), own)
		fn.VSHUFI64X2(U8(0b01_01_01_01), row.AsZ(), row.AsZ(), next)
		return own, next
	})
	fn.TailCall("ribbonContainsAVX2")
}

func ribbonSingle256(f *kernel.File) {
	fn := ribbonSingle(f, kernel.AVX2, "ribbonContainsAVX2", "is where ribbonContains continues without AVX-512.", levelAVX2, func(fn *kernel.Function, row reg.VecVirtual) (own, next reg.VecVirtual) {
		own, next = fn.YMM(), fn.YMM()
		fn.VPERMQ(U8(0b01_00_01_00), row, own)
		fn.VPERMQ(U8(0b11_10_11_10), row, next)
		return own, next
	})
	fn.TailCall("ribbonContainsOther")
}

// ribbonSingle emits the lookup of a level. spread repeats the halves of a row in vectors. What
// follows is where other levels go on.
func ribbonSingle(f *kernel.File, level kernel.Level, name, doc string, number uint8, spread func(fn *kernel.Function, row reg.VecVirtual) (own, next reg.VecVirtual)) *kernel.Function {
	fn := f.Function(level, name, "func(f *Ribbon, hash uint64) bool", name+" "+doc)
	filter, hash := fn.GP64(), fn.GP64()
	fn.Load(fn.Param("f"), filter)
	fn.Load(fn.Param("hash"), hash)
	field := func(name string) Mem {
		return fn.Field(filter, "ribbonPlaces", name).Offset(fn.Field(nil, "Ribbon", "places").Disp)
	}
	answer := fn.Address(fn.ReturnIndex(0))
	fn.CMPQ(field("level"), U8(number))
	fn.JNE(LabelRef("other"))

	times := func(factor uint64) {
		by := fn.GP64()
		fn.MOVQ(U64(factor), by)
		fn.IMULQ(by, hash)
	}
	fn.XORQ(field("seed"), hash)
	times(ribbonHash)
	block, shift := fn.GP64(), fn.GP64()
	fn.MOVQ(field("starts"), reg.RAX)
	fn.MULQ(hash)
	fn.MOVQ(reg.RDX, shift)
	fn.MOVQ(reg.RDX, block)
	fn.ANDL(U8(ribbonSlots-1), shift.As32())
	fn.SHRQ(U8(7), block)
	times(ribbonRow)

	fn.Comment("The columns.")
	own, next, last, lower := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVQ(field("columns"), last)
	fn.MOVQ(last, own)
	fn.IMULQ(block, own)
	fn.MOVQ(field("fewer"), lower)
	fn.CMPQ(block, lower)
	fn.CMOVQCC(lower, block)
	fn.SBBQ(U8(0), last) // one less in the first blocks
	fn.SUBQ(block, own)
	fn.LEAQ(Mem{Base: own, Index: last, Scale: 1}, next)
	fn.CMPQ(next, field("last"))
	fn.CMOVQHI(field("last"), next)
	fn.SUBQ(U8(groupColumns), last)
	for _, columns := range []reg.GPVirtual{own, next, last} {
		fn.SHLQ(U8(4), columns)
	}
	fn.ADDQ(field("body"), own)
	fn.ADDQ(field("body"), next)

	fn.Comment("The row.")
	key := ribbonKey{own: own, next: next, last: last, result: hash}
	key.row, key.rowNext = spread(fn, ribbonRowOf(fn, hash, shift))
	fn.BSWAPQ(hash)

	fn.Comment("The units of columns.")
	unit, at := newRibbonUnit(fn, level), fn.GP64()
	fn.XORL(at.As32(), at.As32())
	fn.Label("unit")
	wrong := key.inUnit(fn, unit, at)
	fn.TESTL(wrong.As32(), wrong.As32())
	fn.JNZ(LabelRef("wrong"))
	fn.CMPQ(at, field("unitBytes"))
	fn.JLT(LabelRef("unit"))
	fn.Label("wrong")
	fn.SETEQ(answer)
	fn.VZEROUPPER()
	fn.RET()
	fn.Label("other")
	return fn
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
