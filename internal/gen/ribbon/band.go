package ribbon

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// As package asm has them.
const (
	bandRows   = 256
	bandGroup  = 64
	frameSlots = 32
	stepSlots  = 4
)

// fourRows is the size of a vector: a word of four equations.
const fourRows = 32

// A bander eliminates the slots of a band. It keeps the equations that have begun before a
// slot. For each slot it takes one that has it, which becomes the slot's, and XORs it with all
// others that have it.
type bander struct {
	fn                           *kernel.Function
	scratch, rows, results       reg.GPVirtual
	key                          reg.GPVirtual // the next one
	offset                       reg.GPVirtual // of the slot in the frame
	low, middle, high, bit, next reg.VecVirtual
	wrong                        reg.VecVirtual
}

// Band emits the kernels that add rows to a band.
func Band(f *kernel.File) {
	fn := f.Function(kernel.AVX2, "ribbonBandAVX2",
		"func(scratch *ribbonScratch, rows *[2]uint64, results *uint32, keys *uint64, begin int, ends *uint32, frames, slot int, starts uint64) (taken int)",
		"ribbonBandAVX2 writes the rows and results of some frames, at least one, the first of which is at a slot.",
		"ends has the end of each step's mixed hashes among the keys, the first of which is at begin. It stops",
		"before a frame that has more equations than there is room for. Works as fallback.RibbonBand.AddBelow.")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	s := &bander{
		fn: fn, scratch: param("scratch"), rows: param("rows"), results: param("results"), key: fn.GP64(), offset: fn.GP64(),
		low: fn.YMM(), middle: fn.YMM(), high: fn.YMM(), bit: fn.YMM(), next: fn.YMM(), wrong: fn.YMM(),
	}
	keys, begin := param("keys"), param("begin")
	fn.LEAQ(Mem{Base: keys, Index: begin, Scale: shared.HashBytes}, s.key)
	fn.VPXOR(s.wrong, s.wrong, s.wrong)
	zero := fn.GP64()
	fn.XORQ(zero, zero)
	fn.Store(zero, fn.ReturnIndex(0))

	fn.Label("frame")
	s.checkRoom()
	fn.XORQ(s.offset, s.offset)
	fn.VPBROADCASTQ(fn.Words("one", 1), s.next)
	fn.Label("step")
	s.takeKeys()
	s.findLimit()
	fn.Label("slot")
	fn.VMOVDQA(s.next, s.bit)
	fn.VPADDQ(s.next, s.next, s.next)
	s.choose()
	s.reduce()
	fn.INCQ(s.offset)
	fn.ADDQ(U8(16), s.rows)
	fn.ADDQ(U8(4), s.results)
	fn.TESTQ(U32(stepSlots-1), s.offset)
	fn.JNZ(LabelRef("slot"))
	fn.CMPQ(s.offset, U8(frameSlots))
	fn.JLT(LabelRef("step"))
	s.endFrame()
	one := fn.GP64()
	fn.MOVQ(U32(1), one)
	fn.ADDQ(one, s.taken())
	fn.ADDQ(U8(frameSlots), s.argument("slot"))
	fn.DECQ(s.argument("frames"))
	fn.JNZ(LabelRef("frame"))
	fn.Label("done")
	fn.VMOVDQU(s.wrong, s.field("wrong"))
	fn.VZEROUPPER()
	fn.RET()
}

func (s *bander) field(name string) Mem { return s.fn.Field(s.scratch, "ribbonScratch", name) }

// argument is where an argument is. Those that are seldom needed stay there.
func (s *bander) argument(name string) Mem { return s.fn.Address(s.fn.Param(name)) }

func (s *bander) taken() Mem { return s.fn.Address(s.fn.ReturnIndex(0)) }

// checkRoom goes to done if the frame's equations need more places than are free.
func (s *bander) checkRoom() {
	s.fn.Comment("Is there scratch?")
	ends, last, free, n := s.fn.GP64(), s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.argument("ends"), ends)
	s.fn.MOVL(Mem{Base: ends, Disp: 4 * (frameSlots/stepSlots - 1)}, last.As32())
	keys := s.fn.GP64()
	s.fn.MOVQ(s.argument("keys"), keys)
	s.fn.LEAQ(Mem{Base: keys, Index: last, Scale: shared.HashBytes}, last)
	s.fn.SUBQ(s.key, last)
	s.fn.SHRQ(U8(3), last)
	s.fn.XORQ(free, free)
	for i := range bandRows / bandGroup {
		s.fn.POPCNTQ(s.field("free").Offset(8*i), n)
		s.fn.ADDQ(n, free)
	}
	s.fn.CMPQ(last, free)
	s.fn.JGT(LabelRef("done"))
}

// takeKeys puts the equations of a step where places are free. Those that begin at its first slot
// are in the masks then, as are the older ones that have it.
func (s *bander) takeKeys() {
	s.fn.Comment("Equations of a step.")
	ends, end := s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.argument("ends"), ends)
	s.fn.MOVL(Mem{Base: ends}, end.As32())
	s.fn.ADDQ(U8(4), s.argument("ends"))
	keys := s.fn.GP64()
	s.fn.MOVQ(s.argument("keys"), keys)
	s.fn.LEAQ(Mem{Base: keys, Index: end, Scale: shared.HashBytes}, end)
	s.fn.CMPQ(s.key, end)
	s.fn.JGE(LabelRef("taken"))
	s.fn.Label("take")
	mixed, start, place := reg.RDX, s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(Mem{Base: s.key}, mixed)
	s.fn.ADDQ(U8(shared.HashBytes), s.key)
	s.fn.MULXQ(s.argument("starts"), place, start)
	s.fn.SUBQ(s.argument("slot"), start)
	s.fn.IMULQ(s.fn.Words("ribbonRow", ribbonRow), mixed)

	s.fn.Comment("A free place.")
	group, free, below := s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.XORQ(group, group)
	s.fn.Label("find")
	s.fn.MOVQ(s.field("free").Idx(group, 1), free)
	s.fn.TESTQ(free, free)
	s.fn.JNZ(LabelRef("found"))
	s.fn.ADDQ(U8(8), group)
	s.fn.JMP(LabelRef("find"))
	s.fn.Label("found")
	s.fn.LEAQ(Mem{Base: free, Disp: -1}, below)
	s.fn.MOVQ(free, place)
	s.fn.XORQ(below, place)
	s.fn.ANDQ(free, below)
	s.fn.MOVQ(below, s.field("free").Idx(group, 1))
	s.fn.XORQ(below, free) // the place's bit
	s.fn.XORQ(below, below)
	s.fn.CMPQ(start, s.offset)
	s.fn.CMOVQNE(below, free)
	s.fn.ORQ(free, s.field("masks").Idx(group, 1))
	s.fn.POPCNTQ(place, place) // more by one
	s.fn.SHLQ(U8(3), group)
	s.fn.ADDQ(group, place)

	s.fn.Comment("Its row.")
	low, word, shift := s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.fn.Words("ribbonLower", ribbonLower), low)
	s.fn.XORQ(mixed, low)
	s.fn.ORQ(U8(1), low)
	at := func(field string) Mem { return s.field(field).Idx(place, 8).Offset(-8) }
	s.fn.SHLXQ(start, low, word)
	s.fn.MOVQ(word, at("low"))
	s.fn.MOVQ(start, shift)
	s.fn.XORQ(U8(63), shift)
	s.fn.SHRQ(U8(1), low)
	s.fn.SHRXQ(shift, low, low)
	s.fn.SHLXQ(start, mixed, word)
	s.fn.ORQ(low, word)
	s.fn.MOVQ(word, at("middle"))
	s.fn.MOVQ(mixed, word)
	s.fn.SHRQ(U8(1), word)
	s.fn.SHRXQ(shift, word, word)
	s.fn.BSWAPQ(mixed)
	s.fn.SHLQ(U8(32), mixed)
	s.fn.ORQ(mixed, word)
	s.fn.MOVQ(word, at("high"))
	s.fn.CMPQ(s.key, end)
	s.fn.JLT(LabelRef("take"))
	s.fn.Label("taken")
}

// findLimit finds the last place in use.
func (s *bander) findLimit() {
	s.fn.Comment("The last equation.")
	group, used, limit := s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(U32(8*(bandRows/bandGroup-1)), group)
	s.fn.Label("unused")
	s.fn.MOVQ(s.field("free").Idx(group, 1), used)
	s.fn.NOTQ(used)
	s.fn.TESTQ(used, used)
	s.fn.JNZ(LabelRef("used"))
	s.fn.SUBQ(U8(8), group)
	s.fn.JGE(LabelRef("unused"))
	s.fn.XORQ(group, group)
	s.fn.MOVQ(U32(1), used) // at least four places
	s.fn.Label("used")
	s.fn.MOVQ(group, s.field("top"))
	s.fn.BSRQ(used, used)
	s.fn.SHRQ(U8(2), used)
	s.fn.INCQ(used)
	s.fn.SHLQ(U8(5), used)
	s.fn.MOVQ(group, limit)
	s.fn.SHLQ(U8(6), limit)
	s.fn.ADDQ(used, limit)
	s.fn.MOVQ(limit, s.field("limit"))
}

// choose writes the row of the slot. It loads the equation whose row that is, or zeros.
func (s *bander) choose() {
	s.fn.Comment("The slot's equation.")
	group, place := s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.field("top"), group)
	s.fn.Label("look")
	s.fn.BSRQ(s.field("masks").Idx(group, 1), place)
	s.fn.JNZ(LabelRef("chosen"))
	s.fn.SUBQ(U8(8), group)
	s.fn.JGE(LabelRef("look"))
	s.fn.Comment("There is none.")
	s.fn.VPXOR(s.low, s.low, s.low)
	s.fn.VPXOR(s.middle, s.middle, s.middle)
	s.fn.VPXOR(s.high, s.high, s.high)
	s.fn.VMOVDQU(s.low.AsX(), Mem{Base: s.rows})
	zero := s.fn.GP64()
	s.fn.XORQ(zero, zero)
	s.fn.MOVL(zero.As32(), Mem{Base: s.results})
	s.fn.JMP(LabelRef("written"))
	s.fn.Label("chosen")
	free := s.fn.GP64()
	s.fn.MOVQ(s.field("free").Idx(group, 1), free)
	s.fn.BTSQ(place, free)
	s.fn.MOVQ(free, s.field("free").Idx(group, 1))
	s.fn.SHLQ(U8(3), group)
	s.fn.ADDQ(group, place)
	at := func(field string) Mem { return s.field(field).Idx(place, 8) }
	s.fn.VPBROADCASTQ(at("low"), s.low)
	s.fn.VPBROADCASTQ(at("middle"), s.middle)
	s.fn.VPBROADCASTQ(at("high"), s.high)
	low, middle, high, shift, word := s.fn.GP64(), s.fn.GP64(), s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(at("low"), low)
	s.fn.MOVQ(at("middle"), middle)
	s.fn.MOVQ(at("high"), high)
	s.fn.MOVQ(s.offset, shift)
	s.fn.XORQ(U8(63), shift)
	s.fn.SHRXQ(s.offset, low, low)
	s.fn.LEAQ(Mem{Base: middle, Index: middle, Scale: 1}, word)
	s.fn.SHLXQ(shift, word, word)
	s.fn.ORQ(word, low)
	s.fn.MOVQ(low, Mem{Base: s.rows})
	s.fn.SHRXQ(s.offset, middle, middle)
	s.fn.LEAQ(Mem{Base: high, Index: high, Scale: 1}, word)
	s.fn.SHLXQ(shift, word, word) // keeps at most 31 bits: none of the result
	s.fn.ORQ(word, middle)
	s.fn.MOVQ(middle, Mem{Base: s.rows, Disp: 8})
	s.fn.SHRQ(U8(32), high)
	s.fn.MOVL(high.As32(), Mem{Base: s.results})
	s.fn.Label("written")
}

// reduce XORs the loaded equation with all that have the current slot, and finds the masks of
// those that have the next one.
func (s *bander) reduce() {
	s.fn.Comment("Elimination.")
	at, group, floor, mask := s.fn.GP64(), s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.field("limit"), at)
	s.fn.MOVQ(s.field("top"), group)
	s.fn.Label("group")
	s.fn.MOVQ(group, floor)
	s.fn.SHLQ(U8(6), floor)
	s.fn.XORQ(mask, mask)
	s.fn.Label("reduce")
	s.fn.SUBQ(U8(fourRows), at)
	low, has, changed, some := s.fn.YMM(), s.fn.YMM(), s.fn.YMM(), s.fn.GP64()
	s.fn.VMOVDQU(s.field("low").Idx(at, 1), low)
	s.fn.VPAND(s.bit, low, has)
	s.fn.VPCMPEQQ(s.bit, has, has)
	s.fn.VPAND(s.low, has, changed)
	s.fn.VPXOR(changed, low, low)
	s.fn.VMOVDQU(low, s.field("low").Idx(at, 1))
	s.fn.VPAND(s.next, low, low)
	s.fn.VPCMPEQQ(s.next, low, low)
	s.fn.VMOVMSKPD(low, some.As32())
	for _, word := range []struct {
		field string
		of    reg.VecVirtual
	}{{"middle", s.middle}, {"high", s.high}} {
		changed := s.fn.YMM()
		s.fn.VPAND(word.of, has, changed)
		s.fn.VPXOR(s.field(word.field).Idx(at, 1), changed, changed)
		s.fn.VMOVDQU(changed, s.field(word.field).Idx(at, 1))
	}
	s.fn.SHLQ(U8(4), mask)
	s.fn.ORQ(some, mask)
	s.fn.CMPQ(at, floor)
	s.fn.JGT(LabelRef("reduce"))
	s.fn.MOVQ(mask, s.field("masks").Idx(group, 1))
	s.fn.SUBQ(U8(8), group)
	s.fn.JGE(LabelRef("group"))
}

// endFrame moves the equations to the next frame. Those without coefficients are free places, or
// contradictions.
func (s *bander) endFrame() {
	s.fn.Comment("The next frame.")
	at, group, floor, mask := s.fn.GP64(), s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	zero := s.fn.YMM()
	s.fn.VPXOR(zero, zero, zero)
	s.fn.MOVQ(s.field("limit"), at)
	s.fn.MOVQ(s.field("top"), group)
	s.fn.Label("endGroup")
	s.fn.MOVQ(group, floor)
	s.fn.SHLQ(U8(6), floor)
	s.fn.XORQ(mask, mask)
	s.fn.Label("end")
	s.fn.SUBQ(U8(fourRows), at)
	low, middle, high, upper, some := s.fn.YMM(), s.fn.YMM(), s.fn.YMM(), s.fn.YMM(), s.fn.GP64()
	s.fn.VMOVDQU(s.field("low").Idx(at, 1), low)
	s.fn.VMOVDQU(s.field("middle").Idx(at, 1), middle)
	s.fn.VMOVDQU(s.field("high").Idx(at, 1), high)
	s.fn.VPSRLQ(U8(frameSlots), low, low)
	s.fn.VPSLLQ(U8(64-frameSlots), middle, upper)
	s.fn.VPOR(upper, low, low)
	s.fn.VMOVDQU(low, s.field("low").Idx(at, 1))
	s.fn.VPSRLQ(U8(frameSlots), middle, middle)
	s.fn.VPSLLQ(U8(64-frameSlots), high, upper)
	s.fn.VPOR(upper, middle, middle)
	s.fn.VMOVDQU(middle, s.field("middle").Idx(at, 1))
	s.fn.VPSRLQ(U8(32), high, high)
	s.fn.VPSLLQ(U8(32), high, high)
	s.fn.VMOVDQU(high, s.field("high").Idx(at, 1))
	s.fn.VPOR(middle, low, low)
	s.fn.VPCMPEQQ(zero, low, low)
	s.fn.VPAND(low, high, high)
	s.fn.VPOR(high, s.wrong, s.wrong)
	s.fn.VMOVMSKPD(low, some.As32())
	s.fn.SHLQ(U8(4), mask)
	s.fn.ORQ(some, mask)
	s.fn.CMPQ(at, floor)
	s.fn.JGT(LabelRef("end"))
	s.fn.ORQ(mask, s.field("free").Idx(group, 1))
	s.fn.SUBQ(U8(8), group)
	s.fn.JGE(LabelRef("endGroup"))
}
