package ribbon

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// windowColumns is as package asm has it.
const windowColumns = 16

// fourColumns is the size of a vector: half of the windows of four columns.
const fourColumns = 32

// Solve emits the kernel that solves a band, column by column.
func Solve(f *kernel.File) {
	for _, columns := range []int{8, windowColumns} {
		solveColumns(f, columns)
	}
}

// solveColumns emits a loop over slots. The next slot waits for the windows' new bits, so
// several vectors of columns take hardly longer than one.
func solveColumns(f *kernel.File, columns int) {
	fn := f.Function(kernel.AVX2, fmt.Sprintf("ribbonSolve%dAVX2", columns),
		"func(windows *ribbonWindows, rows *[2]uint64, results *uint32)",
		fmt.Sprintf("ribbonSolve%dAVX2 moves the windows of %d columns over the slots of a block, from the last one down.", columns, columns))
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	windows, rows, results := param("windows"), param("rows"), param("results")
	half := func(field string, i int) Mem {
		return fn.Field(windows, "ribbonWindows", field).Offset(fourColumns * i)
	}
	fours := columns / 4
	lows, highs := make([]reg.VecVirtual, fours), make([]reg.VecVirtual, fours)
	for i := range fours {
		lows[i], highs[i] = fn.YMM(), fn.YMM()
		fn.VMOVDQU(half("low", i), lows[i])
		fn.VMOVDQU(half("high", i), highs[i])
	}
	odd, nibble, zero := fn.YMM(), fn.YMM(), fn.YMM()
	const parities = 0x0100000100010100 // of 0 to 7
	fn.VMOVDQU(fn.Words("parities", parities, 0x0001010001000001, parities, 0x0001010001000001), odd)
	fn.VPBROADCASTQ(fn.Words("lowHalves", shared.LowHalves), nibble)
	fn.VPXOR(zero, zero, zero)
	left := fn.GP64()
	fn.MOVQ(U32(ribbonSlots), left)

	fn.Label("slot")
	for i := range fours {
		low, high, t := lows[i], highs[i], fn.YMM()
		result := fn.YMM()
		fn.VPBROADCASTD(Mem{Base: results, Index: left, Scale: 4, Disp: -4}, result)
		fn.VPSRLVD(half("shifts", i), result, result)
		fn.VPAND(half("ones", i), result, result)
		fn.VPSRLQ(U8(63), low, t)
		fn.VPADDQ(high, high, high)
		fn.VPOR(t, high, high)
		fn.VPADDQ(low, low, low)
		coefficients := fn.YMM()
		fn.VPBROADCASTQ(Mem{Base: rows, Disp: 16*ribbonSlots - 8}, coefficients)
		fn.VPAND(high, coefficients, t)
		fn.VPXOR(result, t, t)
		fn.VPBROADCASTQ(Mem{Base: rows, Disp: 16*ribbonSlots - 16}, coefficients)
		fn.VPAND(low, coefficients, coefficients)
		fn.VPXOR(coefficients, t, t)
		fn.VPSRLQ(U8(4), t, coefficients)
		fn.VPXOR(coefficients, t, t)
		fn.VPAND(nibble, t, t)
		fn.VPSHUFB(t, odd, t)
		fn.VPSADBW(zero, t, t)
		fn.VPAND(half("ones", i), t, t)
		fn.VPOR(t, low, low)
	}
	fn.SUBQ(U8(16), rows)
	fn.DECQ(left)
	fn.JNZ(LabelRef("slot"))
	for i := range fours {
		fn.VMOVDQU(lows[i], half("low", i))
		fn.VMOVDQU(highs[i], half("high", i))
	}
	fn.VZEROUPPER()
	fn.RET()
}
