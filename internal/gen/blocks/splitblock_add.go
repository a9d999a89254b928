package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const splitUnroll = 4 // keys

// A splitAdder adds keys to split blocks. The halves of their hashes are where the filter says.
type splitAdder struct {
	fn         *kernel.Function
	wide       bool         // AVX-512
	low, high  reg.Register // the addresses of the next hash's halves: of that with the bits, and of that which chooses the block
	n, ahead   reg.Register
	body, size reg.GPVirtual

	salts, ones reg.VecVirtual
	top         reg.VecVirtual // takes the top bits of words, with others above them
}

// splitBlockAdd emits the function that adds keys.
//
// AVX-512 has two instructions for the bits that other units run than shifts and products do, and takes a fifth
// less on Intel's processors.
func splitBlockAdd(f *kernel.File, level kernel.Level, name string) {
	fn := f.Function(level, name, "func(k *Kernel, hashes *uint64, n, ahead int)",
		name+" adds n hashes, at least one. If ahead is not 0, it prefetches the blocks of hashes[i+ahead]:",
		"ahead is at least 16 then, and there are n+ahead hashes.")
	a := newSplitAdder(fn, level == kernel.AVX512)
	fn.SUBQ(U8(splitUnroll), a.n)
	fn.JCS(LabelRef("last"))
	fn.TESTQ(a.ahead, a.ahead)
	fn.JNZ(LabelRef("far"))
	fn.Comment("Some hashes at a time, whose blocks are in a cache.")
	a.some("near", func(int) {})
	fn.JMP(LabelRef("last"))
	fn.Comment("Some hashes at a time, prefetching a block for each.")
	a.some("far", func(key int) {
		half := Mem{Base: a.high, Disp: shared.HashBytes * key}
		shared.FromMemory(fn, a.line(half.Idx(a.ahead, shared.HashBytes)))
		shared.FromCache(fn, a.line(half.Offset(shared.HashBytes*shared.Soon)))
	})
	fn.Label("last")
	fn.ADDQ(U8(splitUnroll), a.n)
	fn.JZ(LabelRef("done"))
	fn.Label("one")
	a.add(0)
	a.next(1)
	fn.DECQ(a.n)
	fn.JNZ(LabelRef("one"))
	fn.Label("done")
	fn.VZEROUPPER()
	fn.RET()
}

// newSplitAdder loads the arguments and the constants.
func newSplitAdder(fn *kernel.Function, wide bool) *splitAdder {
	param := func(name string) reg.Register { return fn.Load(fn.Param(name), fn.GP64()) }
	filter, high := param("k"), param("hashes")
	field := shared.FieldOf(fn, filter)
	a := &splitAdder{fn: fn, wide: wide, high: high, n: param("n"), ahead: param("ahead")}
	low := fn.GP64()
	a.low, a.body, a.size = low, fn.GP64(), fn.GP64()
	fn.MOVQ(field("body"), a.body)
	fn.MOVQ(field("body").Offset(8), a.size)
	chooses := fn.GP64()
	fn.MOVBLZX(field("blockHalf"), chooses.As32())
	fn.LEAQ(Mem{Base: high, Disp: shared.HashBytes / 2}, low)
	fn.SUBQ(chooses, low)
	fn.ADDQ(chooses, high)
	a.salts, a.ones = fn.YMM(), fn.YMM()
	if wide {
		fn.VMOVDQU32(splitSalts(fn, 1), a.salts)
	} else {
		fn.VMOVDQU(splitSalts(fn, 1), a.salts)
	}
	fn.VPBROADCASTD(fn.Words("one", 1|1<<32), a.ones)
	a.top = fn.YMM()
	if wide {
		fn.VPBROADCASTQ(fn.Words("top5", 27|59<<32), a.top)
	}
	return a
}

// some emits a loop that adds some keys in a round.
func (a *splitAdder) some(label string, prefetch func(key int)) {
	a.fn.Label(label)
	for key := range splitUnroll {
		prefetch(key)
		a.add(key)
	}
	a.next(splitUnroll)
	a.fn.SUBQ(U8(splitUnroll), a.n)
	a.fn.JCC(LabelRef(label))
}

// line returns an address in the block that half of a hash chooses.
func (a *splitAdder) line(half Mem) Mem {
	at := a.fn.GP64()
	a.fn.MOVL(half, at.As32())
	a.fn.IMULQ(a.size, at)
	a.fn.SHRQ(U8(32), at)
	return Mem{Base: a.body, Index: at, Scale: 1}
}

// add adds one of the next keys.
func (a *splitAdder) add(key int) {
	bits := a.fn.YMM()
	block := a.line(Mem{Base: a.high, Disp: shared.HashBytes * key})
	a.fn.ANDQ(I8(-splitBlockBytes), block.Index)
	a.fn.VPBROADCASTD(Mem{Base: a.low, Disp: shared.HashBytes * key}, bits)
	if a.wide {
		a.fn.VPMULLD(a.salts, bits, bits)
		a.fn.VPMULTISHIFTQB(bits, a.top, bits)
		a.fn.VPROLVD(bits, a.ones, bits)
		a.fn.VPORD(block, bits, bits)
		a.fn.VMOVDQU32(bits, block)
		return
	}
	splitBits(a.fn, bits, a.salts, a.ones, bits)
	a.fn.VPOR(block, bits, bits)
	a.fn.VMOVDQU(bits, block)
}

// next moves on by some keys.
func (a *splitAdder) next(keys int) {
	a.fn.ADDQ(U8(uint8(shared.HashBytes*keys)), a.low)
	a.fn.ADDQ(U8(uint8(shared.HashBytes*keys)), a.high)
}
