package ribbon

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A source is where a kernel for one key finds the filter: in memory or registers.
type source struct{ body, starts, seed, columns, fewer, last Op }

// singles emits the kernels that look up one key in a prepared filter, or in a filter's bytes.
func singles(f *kernel.File) {
	entry := func(level kernel.Level, name string) {
		fn := f.Entry(level, name, shared.Contains)
		filter, own := fn.GP64(), fn.GP64()
		fn.MOVQ(shared.Prepared, filter) // products are in AX, too
		fn.MOVQ(fn.Field(filter, "Kernel", "own"), own)
		first := shared.InEight(fn, filter, "ribbonFirst")
		source{
			fn.Field(filter, "Kernel", "body"), first("starts"), first("seed"), first("columns"), first("fewer"),
			fn.Field(own, "ribbonFilter", "lastSegment"),
		}.lookUp(fn, level)
	}
	entry(kernel.AVX512, "ribbonContainsAVX512")
	entry(kernel.AVX2, "ribbonContainsAVX2")
	shared.Functions{
		Go: "ribbonContainsGo", AVX2: "ribbonContainsAVX2", Eight: "ribbonContainsAVX512", More: "ribbonContainsAVX512",
		Batch: "ribbonBatch", InGo: "ribbonBitsInGo",
	}.Define(f, "ribbonFunctions")
	bytes := func(level kernel.Level, name, doc, other string) {
		fn := f.Function(level, name, "func(data *byte, size int, hash uint64, other func(data []byte, hash uint64) bool) (found bool)", name+" is "+doc)
		shared.UnlessLevel(fn, level)
		ofBytes(fn).lookUp(fn, level)
		fn.Label("other")
		fn.TailCall(other)
	}
	bytes(kernel.AVX512, "ribbonMayContain", "RibbonMayContain.", "ribbonMayContainAVX2")
	bytes(kernel.AVX2, "ribbonMayContainAVX2", "where ribbonMayContain continues without AVX-512.", "ribbonMayContainOther")
}

// ofBytes finds the shape of bytes: segments, and a trailer of 0xfe, the seed, and the number of
// blocks in three bytes. Blocks have as many columns as the division says, or one more: s.columns is
// one more, and s.fewer is how many blocks have less. It continues elsewhere if one may have less than 4
// columns, or more than 32.
func ofBytes(fn *kernel.Function) (s source) {
	starts, seed, segments, fewer, columns := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	body, size, trailer := shared.Trailed(fn, 5)
	fn.RORXQ(U8(4), size, segments) // many, unless the size is whole segments
	fn.CMPQ(segments, U32(mostRibbonColumns*(1<<24-1)))
	fn.JHI(LabelRef("other"))
	fn.CMPB(trailer, U8(0xfe))
	fn.JNE(LabelRef("other"))
	blocks := starts
	fn.MOVL(trailer.Offset(1), blocks.As32())
	fn.MOVBLZX(blocks.As8(), seed.As32())
	fn.SHRL(U8(8), blocks.As32())
	fn.CMPL(blocks.As32(), U8(2))
	fn.JCS(LabelRef("other"))
	fn.MOVL(segments.As32(), reg.EAX)
	fn.XORL(reg.EDX, reg.EDX)
	fn.DIVL(blocks.As32())
	fn.LEAL(Mem{Base: reg.RAX, Disp: -groupColumns}, columns.As32()) // less than 32, so that one more is possible
	fn.CMPL(columns.As32(), U8(mostRibbonColumns-groupColumns))
	fn.JCC(LabelRef("other"))
	fn.LEAL(Mem{Base: reg.RAX, Disp: 1}, columns.As32())
	fn.MOVL(blocks.As32(), fewer.As32())
	last := segments
	fn.SUBQ(reg.RAX, last)
	fn.NEGL(reg.EDX) // carries if the last blocks have a column more
	fn.SBBQ(U8(0), last)
	fn.ADDL(reg.EDX, fewer.As32())
	fn.SHLQ(U8(7), starts)
	fn.SUBQ(U8(ribbonSlots-1), starts)
	half := fn.GP32()
	fn.IMUL3L(U32(ribbonSeed&(1<<32-1)), seed.As32(), seed.As32())
	fn.MOVL(seed.As32(), half)
	fn.ANDL(U32(0xf0f0f0f0), half)
	fn.SHRL(U8(4), half)
	fn.XORL(half, seed.As32())
	return source{body, starts, seed, columns, fewer, last}
}

// spread repeats the halves of a row in vectors.
func spread(fn *kernel.Function, level kernel.Level, row reg.VecVirtual) (own, next reg.VecVirtual) {
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
func (source source) lookUp(fn *kernel.Function, level kernel.Level) {
	hash := fn.GP64()
	fn.Load(fn.Param("hash"), hash)
	answer := fn.Answer()
	fn.XORQ(source.seed, hash)
	fn.IMULQ(fn.Words("ribbonHash", ribbonHash), hash)
	block, shift := reg.RDX, fn.GP64()
	fn.MOVQ(source.starts, reg.RAX)
	fn.MULQ(hash)
	fn.MOVL(reg.EDX, shift.As32())
	fn.ANDL(U8(ribbonSlots-1), shift.As32())
	fn.SHRQ(U8(7), block)
	fn.IMULQ(fn.Words("ribbonRow", ribbonRow), hash)

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
	for _, columns := range []reg.GPVirtual{own, next} {
		fn.SHLQ(U8(4), columns)
		fn.ADDQ(source.body, columns)
	}

	fn.Comment("The row.")
	key := key{own: own, next: next, last: last, result: hash}
	rowOf := row256
	if level == kernel.AVX512 {
		rowOf = row512
	}
	key.row, key.rowNext = spread(fn, level, rowOf(fn, hash, shift))
	fn.BSWAPQ(hash)

	fn.Comment("The first unit of columns. If it is the only one, no branch depends on the answer.")
	unit, second, expected, first := newUnit(fn, level), fn.GP64(), fn.GP64(), fn.GP64()
	fn.SUBQ(U8(groupColumns), last)
	fn.MOVL(U32(groupColumns), second.As32())
	fn.CMPQ(last, second)
	fn.CMOVQLT(last, second)
	fn.SHRXQ(second, hash, expected)
	fn.SHLL(U8(groupColumns), expected.As32())
	fn.MOVL(hash.As32(), first.As32())
	fn.ANDL(U8(1<<groupColumns-1), first.As32())
	fn.ORL(first.As32(), expected.As32())
	fn.SHLL(U8(4), second.As32())
	wrong := unit.wrong(own, next, second, key.row, key.rowNext, unit.expect(expected))
	fn.CMPQ(last, U8(groupColumns))
	fn.JG(LabelRef("more"))
	fn.Label("answer")
	fn.TESTL(wrong.As32(), wrong.As32())
	fn.SETEQ(answer)
	fn.VZEROUPPER()
	fn.RET()

	fn.Comment("The others.")
	fn.Label("more")
	at, end := fn.GP64(), fn.GP64()
	fn.SHLQ(U8(4), last)
	fn.LEAQ(Mem{Base: last, Disp: groupBytes}, end)
	fn.MOVL(U32(unitBytes), at.As32())
	fn.Label("unit")
	fn.TESTL(wrong.As32(), wrong.As32())
	fn.JNZ(LabelRef("answer"))
	fn.MOVL(key.inUnit(fn, unit, at).As32(), wrong.As32())
	fn.CMPQ(at, end)
	fn.JLT(LabelRef("unit"))
	fn.JMP(LabelRef("answer"))
}

// row512 returns the four words of a row, shifted by up to 127: by a word or none, and by the rest.
func row512(fn *kernel.Function, high, shift reg.GPVirtual) reg.VecVirtual {
	low, row, by, words, from, below := fn.GP64(), fn.YMM(), fn.YMM(), fn.YMM(), fn.YMM(), fn.YMM()
	fn.MOVQ(fn.Words("ribbonLower", ribbonLower), low)
	fn.XORQ(high, low)
	fn.ORQ(U8(1), low)
	fn.VMOVQ(low, row.AsX())
	fn.VPINSRQ(U8(1), high, row.AsX(), row.AsX())
	fn.VPBROADCASTQ(shift, by)
	fn.VPSRLQ(U8(6), by, words)
	fn.VMOVDQU(fn.Words("eachWord", 0, 1, 2, 3), from) // modulo 4: the words behind the row are 0
	fn.VPSUBQ(words, from, from)
	fn.VPADDQ(fn.Words("wordBelow", 3, 3, 3, 3), from, below)
	fn.VPERMQ(row, below, below)
	fn.VPERMQ(row, from, row)
	fn.VPSHLDVQ(by, below, row)
	return row
}

// row256 does so, too. Shifts by 64 and more, and by less than nothing, give 0.
func row256(fn *kernel.Function, high, shift reg.GPVirtual) reg.VecVirtual {
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
