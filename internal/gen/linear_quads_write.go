package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// substitute finds the values of the leading slots, from the last rank up: it reduces each
// row by the later ones, until no other leading slot is in it. The slots that are not
// leading are zero, so what is left besides is the value.
func (s *quadSolver) substitute() {
	s.Comment("Values of slots.")
	best := s.rows
	s.LEAQ(s.place("best"), best)
	if s.wide {
		s.substituteLasts()
	}
	s.MOVQ(s.bestEnd, s.at)
	s.TESTQ(s.at, s.at)
	s.JZ(LabelRef("substituted"))
	if !s.wide {
		const many = 2 * ranksPerBlock
		s.Label("substituteMany")
		s.CMPQ(s.at, U32(many*quadBytes))
		s.JLT(LabelRef("substituteFew"))
		s.substituteBlock("many", many)
		s.JNZ(LabelRef("substituteMany"))
		s.JMP(LabelRef("substituted"))
	}
	s.Label("substituteFew")
	s.substituteBlock("few", ranksPerBlock)
	s.JNZ(LabelRef("substituteFew"))
	s.Label("substituted")
}

// substituteBlock reduces the ranks before one, which it changes. It sets the flags for
// whether there are more.
func (s *quadSolver) substituteBlock(name string, ranks int) {
	s.SUBQ(I32(int32(ranks*quadBytes)), s.at)
	rows := make([]quadRow, ranks)
	for i := range rows {
		held := s.held(i)
		rows[i].row = held
		if s.wide {
			rows[i].rest = s.YMM()
			s.VPAND(s.row(s.rows, "rests", s.at).Offset(quadBytes*i), held, rows[i].rest)
		}
		s.VPAND(s.row(s.rows, "rows", s.at).Offset(quadBytes*i), held, held)
		s.VPOR(s.presence(), held, held)
	}
	other := s.GP64()
	if s.wide {
		s.MOVQ(s.lasts, other)
		s.CMPQ(other, s.bestEnd)
		s.JGE(LabelRef(name + "LastsSubstituted"))
		s.loop(name+"SubstituteLasts", other, s.bestEnd, 1, func() {
			last := s.load(s.row(s.rows, "lasts", other))
			for _, r := range rows {
				without := s.YMM()
				s.VPXOR(last, r.rest, without)
				s.VPMINUD(without, r.rest, r.rest)
			}
		})
		s.Label(name + "LastsSubstituted")
	}
	s.LEAQ(Mem{Base: s.at, Disp: ranks * quadBytes}, other)
	s.CMPQ(other, s.bestEnd)
	s.JGE(LabelRef(name + "Substituted"))
	s.loop(name+"Substitute", other, s.bestEnd, 1, func() { s.reduce(rows, s.loadRow(s.rows, other)) })
	s.Label(name + "Substituted")
	for i := ranks - 1; i >= 0; i-- {
		s.VPXOR(s.presence(), rows[i].row, rows[i].row)
		s.VMOVDQU(rows[i].row, s.row(s.rows, "rows", s.at).Offset(quadBytes*i))
		if s.wide {
			s.VMOVDQU(rows[i].rest, s.row(s.rows, "rests", s.at).Offset(quadBytes*i))
		}
		s.reduce(rows[:i], rows[i])
	}
	s.TESTQ(s.at, s.at)
}

// held returns which lines hold their keys of a rank: those with orders that are not below
// the threshold.
func (s *quadSolver) held(i int) reg.VecVirtual {
	held := s.load(s.of("orders", s.at).Offset(quadBytes * i))
	s.VPCMPGTQ(s.place("lowest"), held, held)
	return held
}

// substituteLasts is substitute for the last rows.
func (s *quadSolver) substituteLasts() {
	next := s.GP64()
	s.MOVQ(s.bestEnd, s.at)
	s.CMPQ(s.lasts, s.at)
	s.JGE(LabelRef("lastsSubstituted"))
	s.Label("substituteLast")
	s.MOVQ(s.at, next)
	s.SUBQ(U8(quadBytes), s.at)
	last := s.held(0)
	s.VPAND(s.row(s.rows, "lasts", s.at), last, last)
	s.reduceLast("substituteBy", s.rows, last, next, s.bestEnd)
	s.VMOVDQU(last, s.row(s.rows, "lasts", s.at))
	s.CMPQ(s.at, s.lasts)
	s.JGT(LabelRef("substituteLast"))
	s.Label("lastsSubstituted")
}

// scatter puts the values where the lines' slots are.
func (s *quadSolver) scatter() {
	s.Comment("Slots.")
	zero, slots := s.zero(), s.GP64()
	s.LEAQ(s.place("slots"), slots)
	for at := 0; at < quad*quadSlots*4; at += quadBytes {
		s.VMOVDQU(zero, Mem{Base: slots, Disp: at})
	}
	s.XORQ(s.at, s.at)
	s.CMPQ(s.at, s.bestEnd)
	s.JGE(LabelRef("scattered"))
	if !s.wide {
		s.scatterRows("scatter", "rows", "rows", slots)
	} else {
		lead := s.GP64()
		s.MOVQ(s.field("firstLead"), lead)
		s.ADDQ(slots, lead)
		s.scatterRows("scatter", "rows", "rests", lead)
		s.MOVQ(s.lasts, s.at)
		s.CMPQ(s.at, s.bestEnd)
		s.JGE(LabelRef("scattered"))
		s.scatterRows("scatterLasts", "lasts", "lasts", slots)
	}
	s.Label("scattered")
}

// scatterRows puts values where the leading slots of rows are. A row without slots has the
// lowest bit's place, which is no slot's, or is overwritten.
//
// The leading bit is the exponent of the row as a floating-point number, which is the sum of
// its halves'. Without the bit behind the leading one, rounding cannot raise it.
func (s *quadSolver) scatterRows(label, field, values string, slots reg.GPVirtual) {
	const (
		exponentOfOne = 1023
		low           = (exponentOfOne + 52) << 52 // or a word of 32 bits: 2^52 and the word
		high          = (exponentOfOne + 84) << 52 // or a word of 32 bits: 2^84 and 2^32 times the word
		both          = high | 1<<20               // 2^84 + 2^52
	)
	one, lows, highs, sum := s.YMM(), s.YMM(), s.YMM(), s.YMM()
	s.VMOVDQU(s.every("quadOne", 1), one)
	s.VMOVDQU(s.every("lowHalf", low), lows)
	s.VMOVDQU(s.every("highHalf", high), highs)
	s.VMOVDQU(s.every("bothHalves", both), sum)
	mask := s.load(s.field("fingerprint"))
	s.loop(label, s.at, s.bestEnd, 1, func() {
		row, half, value := s.load(s.row(s.rows, field, s.at)), s.YMM(), s.YMM()
		s.VPAND(s.row(s.rows, values, s.at), mask, value)
		s.VMOVDQU(value, s.place("values"))
		s.VPSRLQ(U8(1), row, half)
		s.VPANDN(row, half, row)
		s.VPOR(one, row, row)
		s.VPSRLQ(U8(32), row, half)
		s.VPOR(highs, half, half)
		s.VSUBPD(sum, half, half)
		s.VPBLENDD(U8(0xaa), lows, row, row)
		s.VADDPD(half, row, row)
		s.VPSRLQ(U8(52), row, row)
		s.VMOVDQU(row, s.place("places"))
		for line := range quad {
			to, word := s.GP64(), s.GP64()
			s.MOVQ(s.place("places").Offset(8*line), to)
			s.MOVL(s.place("values").Offset(8*line), word.As32())
			s.MOVL(word.As32(), Mem{Base: slots, Index: to, Scale: 4, Disp: 4 * (line*quadSlots - exponentOfOne)})
		}
	})
}

// write writes the lines.
func (s *quadSolver) write() {
	s.Comment("Lines.")
	list, slots, line, after := s.lists, s.GP64(), s.GP64(), s.GP64()
	s.LEAQ(s.place("slots"), slots)
	s.XORQ(line, line)
	toTop := s.load(s.Words("toTopByte", 32<<32|32, 32<<32|32, 32<<32|32, 24<<32|32))
	s.Label("write")
	bytes, zero := s.GP64(), s.zero()
	s.LEAQ(s.place("line"), bytes)
	s.VMOVDQU(zero, Mem{Base: bytes, Disp: lineBytes / 2})
	s.writePlanes(slots, bytes)
	upper := s.YMM()
	s.VPBROADCASTD(s.place("headers").Idx(line, 8), upper)
	s.VPSLLVD(toTop, upper, upper)
	s.writeTail(slots, upper)
	s.LEAQ(s.place("line"), bytes)
	s.MOVQ(s.Field(list, "linearList", "line"), after)
	lower := s.load(Mem{Base: bytes})
	s.VPOR(Mem{Base: bytes, Disp: lineBytes / 2}, upper, upper)
	s.VMOVDQU(lower, Mem{Base: after})
	s.VMOVDQU(upper, Mem{Base: after, Disp: lineBytes / 2})
	s.ADDQ(I32(quadSlots*4), slots)
	s.ADDQ(U8(s.Size("linearList")), list)
	s.INCQ(line)
	s.CMPQ(line, U8(quad))
	s.JLT(LabelRef("write"))
}

// writePlanes writes a line's planes, whose bytes are the bits of eight slots, transposed:
// a byte of each of them is a quadword, in which bits change places with bits that are 7,
// 14 and 28 places apart. Beyond the columns it writes zeros, where the next plane is.
func (s *quadSolver) writePlanes(slots, bytes reg.GPVirtual) {
	const first = 0x0004080c // the last of four slots comes first
	columns := s.load(s.Words("columnsOfFour", first|(first+0x01010101)<<32, first+0x02020202|(first+0x03030303)<<32,
		first|(first+0x01010101)<<32, first+0x02020202|(first+0x03030303)<<32))
	halves := s.load(s.Words("columnsOfEight", 0<<32|4, 1<<32|5, 2<<32|6, 3<<32|7))
	distances := []struct{ bits, mask uint64 }{
		{7, 0x00aa00aa00aa00aa}, {14, 0x0000cccc0000cccc}, {28, 0x00000000f0f0f0f0},
	}
	var masks []reg.VecVirtual
	for _, d := range distances {
		masks = append(masks, s.load(s.every("exchanged", d.mask)))
	}
	from, left := s.GP64(), s.GP64()
	s.MOVQ(s.field("firstPlane"), from)
	s.ADDQ(slots, from)
	s.MOVQ(s.field("planes"), left)
	s.Label("plane")
	plane, exchanged := s.load(Mem{Base: from}), s.YMM()
	s.VPSHUFB(columns, plane, plane)
	s.VPERMD(plane, halves, plane)
	for i, d := range distances {
		s.VPSRLQ(U8(d.bits), plane, exchanged)
		s.VPXOR(plane, exchanged, exchanged)
		s.VPAND(masks[i], exchanged, exchanged)
		s.VPXOR(exchanged, plane, plane)
		s.VPSLLQ(U8(d.bits), exchanged, exchanged)
		s.VPXOR(exchanged, plane, plane)
	}
	s.VMOVDQU(plane, Mem{Base: bytes})
	s.SUBQ(U8(8*4), from)
	s.ADDQ(s.field("bits"), bytes)
	s.DECQ(left)
	s.JNZ(LabelRef("plane"))
}

// writeTail adds a line's tail to its upper half. A slot is in two words of that at most.
func (s *quadSolver) writeTail(slots reg.GPVirtual, upper reg.VecVirtual) {
	from, shifts, left := s.GP64(), s.GP64(), s.GP64()
	s.MOVQ(s.field("tail"), left)
	s.TESTQ(left, left)
	s.JZ(LabelRef("written"))
	s.MOVQ(s.field("firstTail"), from)
	s.ADDQ(slots, from)
	s.LEAQ(s.field("tailShifts"), shifts)
	s.Label("tailSlot")
	value, higher := s.YMM(), s.YMM()
	s.VPBROADCASTD(Mem{Base: from}, value)
	s.VPSRLVD(Mem{Base: shifts, Disp: quadBytes}, value, higher)
	s.VPSLLVD(Mem{Base: shifts}, value, value)
	s.VPOR(value, upper, upper)
	s.VPOR(higher, upper, upper)
	s.SUBQ(U8(4), from)
	s.ADDQ(U8(2*quadBytes), shifts)
	s.DECQ(left)
	s.JNZ(LabelRef("tailSlot"))
	s.Label("written")
}
