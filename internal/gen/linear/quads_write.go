package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// substitute finds the values of the leading slots, from the last rank up: it reduces each
// row by the later ones, until no other leading slot is in it. The slots that are not
// leading are zero, so the rest of the row is the value.
func (s *quadSolver) substitute() {
	s.fn.Comment("Values of slots.")
	best := s.rows
	s.fn.LEAQ(s.place("best"), best)
	if s.wide {
		s.substituteLasts()
	}
	s.fn.MOVQ(s.bestEnd, s.at)
	s.fn.TESTQ(s.at, s.at)
	s.fn.JZ(LabelRef("substituted"))
	if !s.wide {
		const many = 2 * ranksPerBlock
		s.fn.Label("substituteMany")
		s.fn.CMPQ(s.at, U32(many*quadBytes))
		s.fn.JLT(LabelRef("substituteFew"))
		s.substituteBlock("many", many)
		s.fn.JNZ(LabelRef("substituteMany"))
		s.fn.JMP(LabelRef("substituted"))
	}
	s.fn.Label("substituteFew")
	s.substituteBlock("few", ranksPerBlock)
	s.fn.JNZ(LabelRef("substituteFew"))
	s.fn.Label("substituted")
}

// substituteBlock reduces the ranks before one, which it changes. It sets the flags for
// whether there are more.
func (s *quadSolver) substituteBlock(name string, ranks int) {
	s.fn.SUBQ(I32(int32(ranks*quadBytes)), s.at)
	rows := make([]quadRow, ranks)
	for i := range rows {
		held := s.held(i)
		rows[i].row = held
		if s.wide {
			rows[i].rest = s.fn.YMM()
			s.fn.VPAND(s.row(s.rows, "rests", s.at).Offset(quadBytes*i), held, rows[i].rest)
		}
		s.fn.VPAND(s.row(s.rows, "rows", s.at).Offset(quadBytes*i), held, held)
		s.fn.VPOR(s.presence(), held, held)
	}
	other := s.fn.GP64()
	if s.wide {
		s.fn.MOVQ(s.lasts, other)
		s.fn.CMPQ(other, s.bestEnd)
		s.fn.JGE(LabelRef(name + "LastsSubstituted"))
		s.loop(name+"SubstituteLasts", other, s.bestEnd, 1, func() {
			last := s.load(s.row(s.rows, "lasts", other))
			for _, r := range rows {
				without := s.fn.YMM()
				s.fn.VPXOR(last, r.rest, without)
				s.fn.VPMINUD(without, r.rest, r.rest)
			}
		})
		s.fn.Label(name + "LastsSubstituted")
	}
	s.fn.LEAQ(Mem{Base: s.at, Disp: ranks * quadBytes}, other)
	s.fn.CMPQ(other, s.bestEnd)
	s.fn.JGE(LabelRef(name + "Substituted"))
	s.loop(name+"Substitute", other, s.bestEnd, 1, func() { s.reduce(rows, s.loadRow(s.rows, other)) })
	s.fn.Label(name + "Substituted")
	for i := ranks - 1; i >= 0; i-- {
		s.fn.VPXOR(s.presence(), rows[i].row, rows[i].row)
		s.fn.VMOVDQU(rows[i].row, s.row(s.rows, "rows", s.at).Offset(quadBytes*i))
		if s.wide {
			s.fn.VMOVDQU(rows[i].rest, s.row(s.rows, "rests", s.at).Offset(quadBytes*i))
		}
		s.reduce(rows[:i], rows[i])
	}
	s.fn.TESTQ(s.at, s.at)
}

// held returns which lines hold their keys of a rank: those with orders that are not below
// the threshold.
func (s *quadSolver) held(i int) reg.VecVirtual {
	held := s.load(s.of("orders", s.at).Offset(quadBytes * i))
	s.fn.VPCMPGTQ(s.place("lowest"), held, held)
	return held
}

// substituteLasts is substitute for the last rows.
func (s *quadSolver) substituteLasts() {
	next := s.fn.GP64()
	s.fn.MOVQ(s.bestEnd, s.at)
	s.fn.CMPQ(s.lasts, s.at)
	s.fn.JGE(LabelRef("lastsSubstituted"))
	s.fn.Label("substituteLast")
	s.fn.MOVQ(s.at, next)
	s.fn.SUBQ(U8(quadBytes), s.at)
	last := s.held(0)
	s.fn.VPAND(s.row(s.rows, "lasts", s.at), last, last)
	s.reduceLast("substituteBy", s.rows, last, next, s.bestEnd)
	s.fn.VMOVDQU(last, s.row(s.rows, "lasts", s.at))
	s.fn.CMPQ(s.at, s.lasts)
	s.fn.JGT(LabelRef("substituteLast"))
	s.fn.Label("lastsSubstituted")
}

// scatter puts the values where the lines' slots are.
func (s *quadSolver) scatter() {
	s.fn.Comment("Slots.")
	zero, slots := s.zero(), s.fn.GP64()
	s.fn.LEAQ(s.place("slots"), slots)
	for at := 0; at < s.lines()*quadSlots*4; at += quadBytes {
		s.fn.VMOVDQU(zero, Mem{Base: slots, Disp: at})
	}
	s.fn.XORQ(s.at, s.at)
	s.fn.CMPQ(s.at, s.bestEnd)
	s.fn.JGE(LabelRef("scattered"))
	if !s.wide {
		s.scatterRows("scatter", "rows", "rows", slots)
	} else {
		lead := s.fn.GP64()
		s.fn.MOVQ(s.field("firstLead"), lead)
		s.fn.ADDQ(slots, lead)
		s.scatterRows("scatter", "rows", "rests", lead)
		s.fn.MOVQ(s.lasts, s.at)
		s.fn.CMPQ(s.at, s.bestEnd)
		s.fn.JGE(LabelRef("scattered"))
		s.scatterRows("scatterLasts", "lasts", "lasts", slots)
	}
	s.fn.Label("scattered")
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
	one, lows, highs, sum := s.fn.YMM(), s.fn.YMM(), s.fn.YMM(), s.fn.YMM()
	s.fn.VMOVDQU(s.every("quadOne", 1), one)
	s.fn.VMOVDQU(s.every("lowHalf", low), lows)
	s.fn.VMOVDQU(s.every("highHalf", high), highs)
	s.fn.VMOVDQU(s.every("bothHalves", both), sum)
	mask := s.load(s.field("fingerprint"))
	s.loop(label, s.at, s.bestEnd, 1, func() {
		row, half, value := s.load(s.row(s.rows, field, s.at)), s.fn.YMM(), s.fn.YMM()
		s.fn.VPAND(s.row(s.rows, values, s.at), mask, value)
		s.fn.VMOVDQU(value, s.place("values"))
		s.fn.VPSRLQ(U8(1), row, half)
		s.fn.VPANDN(row, half, row)
		s.fn.VPOR(one, row, row)
		s.fn.VPSRLQ(U8(32), row, half)
		s.fn.VPOR(highs, half, half)
		s.fn.VSUBPD(sum, half, half)
		s.fn.VPBLENDD(U8(0xaa), lows, row, row)
		s.fn.VADDPD(half, row, row)
		s.fn.VPSRLQ(U8(52), row, row)
		s.fn.VMOVDQU(row, s.place("places"))
		for line := range s.lines() {
			to, word := s.fn.GP64(), s.fn.GP64()
			place, value := s.place("places").Offset(8*line), s.place("values").Offset(8*line)
			if s.one {
				place, value = s.place("places").Idx(s.seed, 8), s.place("values").Idx(s.seed, 8)
			}
			s.fn.MOVQ(place, to)
			s.fn.MOVL(value, word.As32())
			s.fn.MOVL(word.As32(), Mem{Base: slots, Index: to, Scale: 4, Disp: 4 * (line*quadSlots - exponentOfOne)})
		}
	})
}

// write writes the lines.
func (s *quadSolver) write() {
	s.fn.Comment("Lines.")
	list, slots, line, after := s.lists, s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.LEAQ(s.place("slots"), slots)
	s.fn.XORQ(line, line)
	s.fn.Label("write")
	bytes, zero := s.fn.GP64(), s.zero()
	s.fn.LEAQ(s.place("line"), bytes)
	s.fn.VMOVDQU(zero, Mem{Base: bytes, Disp: shared.LineBytes / 2})
	s.writePlanes(slots, bytes)
	upper := s.zero()
	s.writeTail(slots, upper)
	header := s.fn.GP64()
	s.fn.MOVQ(s.place("headers").Idx(line, 8), header)
	s.fn.MOVQ(s.fn.Field(list, "linearList", "header"), after)
	s.fn.MOVB(header.As8(), Mem{Base: after})
	s.fn.LEAQ(s.place("line"), bytes)
	s.fn.MOVQ(s.fn.Field(list, "linearList", "line"), after)
	lower := s.load(Mem{Base: bytes})
	s.fn.VPOR(Mem{Base: bytes, Disp: shared.LineBytes / 2}, upper, upper)
	s.fn.VMOVDQU(lower, Mem{Base: after})
	s.fn.VMOVDQU(upper, Mem{Base: after, Disp: shared.LineBytes / 2})
	s.fn.ADDQ(I32(quadSlots*4), slots)
	s.fn.ADDQ(U8(s.fn.Size("linearList")), list)
	s.fn.INCQ(line)
	s.fn.CMPQ(line, U8(uint8(s.lines())))
	s.fn.JLT(LabelRef("write"))
}

// writePlanes writes a line's planes, whose bytes are the bits of eight slots, transposed:
// a byte of each of them is a quadword, in which bits change places with bits that are 7,
// 14 and 28 places apart. Beyond the columns it writes zeros, where the next plane is.
func (s *quadSolver) writePlanes(slots, bytes reg.GPVirtual) {
	const first = 0x0004080c // the last of four slots comes first
	columns := s.load(s.fn.Words("columnsOfFour", first|(first+0x01010101)<<32, first+0x02020202|(first+0x03030303)<<32,
		first|(first+0x01010101)<<32, first+0x02020202|(first+0x03030303)<<32))
	halves := s.load(s.fn.Words("columnsOfEight", 0<<32|4, 1<<32|5, 2<<32|6, 3<<32|7))
	distances := []struct{ bits, mask uint64 }{
		{7, 0x00aa00aa00aa00aa}, {14, 0x0000cccc0000cccc}, {28, 0x00000000f0f0f0f0},
	}
	var masks []reg.VecVirtual
	for _, d := range distances {
		masks = append(masks, s.load(s.every("exchanged", d.mask)))
	}
	from, left := s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.field("firstPlane"), from)
	s.fn.ADDQ(slots, from)
	s.fn.MOVQ(s.field("planes"), left)
	s.fn.Label("plane")
	plane, exchanged := s.load(Mem{Base: from}), s.fn.YMM()
	s.fn.VPSHUFB(columns, plane, plane)
	s.fn.VPERMD(plane, halves, plane)
	for i, d := range distances {
		s.fn.VPSRLQ(U8(d.bits), plane, exchanged)
		s.fn.VPXOR(plane, exchanged, exchanged)
		s.fn.VPAND(masks[i], exchanged, exchanged)
		s.fn.VPXOR(exchanged, plane, plane)
		s.fn.VPSLLQ(U8(d.bits), exchanged, exchanged)
		s.fn.VPXOR(exchanged, plane, plane)
	}
	s.fn.VMOVDQU(plane, Mem{Base: bytes})
	s.fn.SUBQ(U8(8*4), from)
	s.fn.ADDQ(s.field("bits"), bytes)
	s.fn.DECQ(left)
	s.fn.JNZ(LabelRef("plane"))
}

// writeTail adds a line's tail to its upper half. A slot is in two words of that at most.
func (s *quadSolver) writeTail(slots reg.GPVirtual, upper reg.VecVirtual) {
	from, shifts, left := s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.field("tail"), left)
	s.fn.TESTQ(left, left)
	s.fn.JZ(LabelRef("written"))
	s.fn.MOVQ(s.field("firstTail"), from)
	s.fn.ADDQ(slots, from)
	s.fn.LEAQ(s.field("slotShifts"), shifts)
	s.fn.Label("tailSlot")
	value, higher := s.fn.YMM(), s.fn.YMM()
	s.fn.VPBROADCASTD(Mem{Base: from}, value)
	s.fn.VPSRLVD(Mem{Base: shifts, Disp: quadBytes}, value, higher)
	s.fn.VPSLLVD(Mem{Base: shifts}, value, value)
	s.fn.VPOR(value, upper, upper)
	s.fn.VPOR(higher, upper, upper)
	s.fn.SUBQ(U8(4), from)
	s.fn.ADDQ(U8(2*quadBytes), shifts)
	s.fn.DECQ(left)
	s.fn.JNZ(LabelRef("tailSlot"))
	s.fn.Label("written")
}
