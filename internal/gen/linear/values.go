package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// substitute finds the values of the leading slots, from the last rank up: a row's own is
// its fingerprint, and those of the later ranks whose leading slots are in the row. They are
// where another seed's rows were. It also puts them where the lines' slots are.
func (s *solver) substitute() {
	s.fn.Comment("Values of slots.")
	slots, at, other := s.at("slots"), s.fn.GP64(), s.fn.GP64()
	s.fn.LEAQ(Mem{Base: slots, Disp: s.in.lines * lineSlots * 4}, other)
	s.fn.MOVQ(slots, at)
	s.fn.Label("clear")
	s.fn.VMOVDQU64(s.zero, Mem{Base: at})
	s.fn.ADDQ(U8(vectorBytes), at)
	s.fn.CMPQ(at, other)
	s.fn.JLT(LabelRef("clear"))

	first := s.at("ranks")
	numbers := s.newSlotNumbers()
	var before [ranksPerStep]reg.VecVirtual // the values of the step before
	for i := range before {
		before[i] = s.fn.ZMM()
		s.fn.VMOVDQA64(s.zero, before[i])
	}
	s.fn.MOVQ(s.end, at)
	s.fn.CMPQ(at, first)
	s.fn.JLE(LabelRef("substituted"))
	s.fn.Label("substitute")
	s.fn.LEAQ(Mem{Base: at, Disp: ranksPerStep * rankBytes}, other)
	s.fn.SUBQ(I32(ranksPerStep*rankBytes), at)
	var rows [ranksPerStep]solvedRow
	var sums [ranksPerStep]reg.VecVirtual
	for i := range rows {
		rows[i].row, sums[i] = s.fn.ZMM(), s.fn.ZMM()
		s.fn.VMOVDQU64(Mem{Base: at, Disp: i * rankBytes}, rows[i].row)
		sum := rows[i].row
		if s.split() {
			rows[i].rest = s.fn.ZMM()
			s.fn.VMOVDQU64(Mem{Base: at, Disp: i*rankBytes + s.rests()}, rows[i].rest)
			sum = rows[i].rest
		}
		s.fn.VMOVDQA64(sum, sums[i])
	}
	s.fn.CMPQ(other, s.end)
	s.fn.JGE(LabelRef("summed"))
	s.fn.Label("sum")
	for range ranksPerStep {
		for i := range rows {
			s.add(Mem{Base: other, Disp: lows}, Mem{Base: other, Disp: vectorBytes}, rows[i].row, sums[i])
		}
		s.fn.ADDQ(I32(rankBytes), other)
	}
	s.fn.CMPQ(other, s.end)
	s.fn.JLT(LabelRef("sum"))
	s.fn.Label("summed")
	if s.wide {
		s.fn.LEAQ(Mem{Base: at, Disp: ranksPerStep * rankBytes}, other)
		s.fn.CMPQ(other, s.lasts)
		s.fn.CMOVQLT(s.lasts, other)
		s.fn.CMPQ(other, s.end)
		s.fn.JGE(LabelRef("lastsSummed"))
		s.fn.Label("sumLasts")
		for i := range rows {
			s.add(Mem{Base: other, Disp: s.rests() + lows}, Mem{Base: other, Disp: vectorBytes}, rows[i].rest, sums[i])
		}
		s.fn.ADDQ(I32(rankBytes), other)
		s.fn.CMPQ(other, s.end)
		s.fn.JLT(LabelRef("sumLasts"))
		s.fn.Label("lastsSummed")
	}
	for k := range before {
		low := Mem{Base: at, Disp: (ranksPerStep+k)*rankBytes + lows}
		for i := range rows {
			s.add(low, before[k], rows[i].row, sums[i])
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if s.half {
			s.fn.VMOVDQA64(sums[i], before[i])
		} else {
			s.fn.VPANDQ_BCST(s.field("valueMask"), sums[i], before[i])
		}
		to := Mem{Base: at, Disp: i * rankBytes}
		for k := range i {
			s.add(to.Offset(lows), before[i], rows[k].row, sums[k])
			if s.wide {
				s.add(to.Offset(s.rests()+lows), before[i], rows[k].rest, sums[k])
			}
		}
		s.fn.VMOVDQU64(before[i], to.Offset(vectorBytes))
		s.put(slots, numbers, to, before[i])
	}
	s.fn.CMPQ(at, first)
	s.fn.JGT(LabelRef("substitute"))
	s.fn.Label("substituted")
}

// add adds the value of a leading slot to the sum of a row that has it.
func (s *solver) add(low, value Op, row, sum reg.VecVirtual) {
	contains := s.fn.K()
	s.in.test(low, row, contains)
	s.in.xor(value, sum, contains, sum)
}

// slotNumbers has the constants that number a slot among those of all lines.
type slotNumbers struct {
	lines reg.VecVirtual // the first ones of the lines
	ones  reg.VecVirtual // all bits
	none  reg.VecVirtual // a number of no slot, where rows are two quadwords
	units reg.VecVirtual // 1 in every byte, where they are two doublewords
}

func (s *solver) newSlotNumbers() slotNumbers {
	first := make([]uint64, vectorBytes/8)
	for line := range s.in.lines {
		bit := 8 * s.wordBytes() * line
		first[bit/64] |= uint64(line*lineSlots) << (bit % 64)
	}
	n := slotNumbers{s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM(), s.fn.ZMM()}
	s.fn.VMOVDQU64(s.fn.Words("slotsOfLines", first...), n.lines)
	s.fn.VPTERNLOGD(U8(0xff), n.ones, n.ones, n.ones)
	switch {
	case s.wide:
		s.fn.VPBROADCASTQ(s.fn.Words("noSlot", lineSlots-1), n.none)
	case s.half:
		s.fn.VPABSB(n.ones, n.units)
	}
	return n
}

// put puts a rank's values where the lines' slots are.
func (s *solver) put(slots reg.GPVirtual, n slotNumbers, rank Mem, value reg.VecVirtual) {
	number := func(low Mem) reg.VecVirtual { // the bits of a word where there is no slot
		slot := s.fn.ZMM()
		s.in.add(low, n.ones, slot) // the bits below the lowest; all of them if there is none
		s.fn.VPOPCNTB(slot, slot)
		return slot
	}
	slot, bytes := s.fn.ZMM(), number(rank.Offset(lows))
	switch {
	case s.half:
		s.fn.VMOVDQA64(n.lines, slot)
		s.fn.VPDPBUSD(n.units, bytes, slot)
	case s.wide:
		isLast, low := s.fn.K(), s.fn.ZMM()
		s.fn.VMOVDQU64(rank.Offset(lows), low)
		s.fn.VPTESTNMQ(low, low, isLast)
		s.fn.VPSADBW(s.zero, bytes, slot)
		lasts := number(rank.Offset(s.rests() + lows))
		s.fn.VPSADBW(s.zero, lasts, lasts)
		s.fn.VPADDQ(lasts, slot, isLast, slot)
		s.fn.VPMINUD(n.none, slot, slot)
		s.fn.VPADDQ(n.lines, slot, slot)
	default:
		s.fn.VPSADBW(s.zero, bytes, slot)
		s.fn.VPADDQ(n.lines, slot, slot)
	}
	if !s.half {
		values := s.fn.ZMM()
		s.fn.VPSRLVQ_BCST(s.field("behindSlots"), value, values)
		value = values
	}
	s.fn.VMOVDQU64(slot, s.place("places"))
	s.fn.VMOVDQU64(value, s.place("values"))
	for line := range s.in.lines {
		to, word, at := s.fn.GP64(), s.fn.GP64(), s.wordBytes()*line
		s.fn.MOVL(s.place("places").Offset(at), to.As32())
		s.fn.MOVL(s.place("values").Offset(at), word.As32())
		s.fn.MOVL(word.As32(), Mem{Base: slots, Index: to, Scale: 4})
	}
}

// write writes the lines: the planes' bytes are the bits of eight slots, transposed.
func (s *solver) write() {
	s.fn.Comment("Lines.")
	var byColumns [4]uint64 // the bytes of eight slots, the last slot's first
	for group := range byColumns {
		for slot := range 8 {
			byColumns[group] |= uint64(4*(7-slot)+group) << (8 * slot)
		}
	}
	columns, bits := s.fn.YMM(), s.fn.YMM()
	s.fn.VMOVDQU64(s.fn.Words("byColumns", byColumns[:]...), columns)
	s.fn.VPBROADCASTQ(s.fn.Words("bitOfByte", 0x8040201008040201), bits)
	list, slots, line, left := s.fn.GP64(), s.at("slots"), s.fn.GP64(), s.fn.GP64()
	s.fn.Load(s.fn.Param("lists"), list)
	s.fn.XORQ(line, line)
	s.fn.Label("write")
	bytes, from := s.at("line"), s.fn.GP64()
	upper := s.fn.YMM()
	s.fn.VMOVDQA64(s.zero.AsY(), upper)
	s.fn.VMOVDQU64(upper, Mem{Base: bytes, Disp: shared.LineBytes / 2}) // beyond the columns of every shape's first half
	s.fn.MOVQ(slots, from)
	s.fn.MOVQ(s.field("planes"), left)
	s.fn.Label("plane")
	plane := s.fn.YMM()
	s.fn.VPERMB(Mem{Base: from}, columns, plane)
	s.fn.VGF2P8AFFINEQB(U8(0), plane, bits, plane)
	s.fn.VMOVDQU64(plane, Mem{Base: bytes})
	s.fn.ADDQ(U8(8*4), from)
	s.fn.ADDQ(s.field("bits"), bytes)
	s.fn.DECQ(left)
	s.fn.JNZ(LabelRef("plane"))

	shifts := s.fn.GP64()
	s.fn.LEAQ(s.field("slotShifts"), shifts)
	s.fn.MOVQ(s.field("tail"), left)
	s.fn.TESTQ(left, left)
	s.fn.JZ(LabelRef("written"))
	s.fn.Label("tailSlot")
	value, higher := s.fn.YMM(), s.fn.YMM()
	const or = 0xfe // of three
	s.fn.VPBROADCASTD(Mem{Base: from}, value)
	s.fn.VPSRLVD(Mem{Base: shifts, Disp: shared.LineBytes / 2}, value, higher)
	s.fn.VPSLLVD(Mem{Base: shifts}, value, value)
	s.fn.VPTERNLOGD(U8(or), higher, value, upper)
	s.fn.ADDQ(U8(4), from)
	s.fn.ADDQ(U8(shared.LineBytes), shifts)
	s.fn.DECQ(left)
	s.fn.JNZ(LabelRef("tailSlot"))
	s.fn.Label("written")

	header, done, lower := s.fn.GP64(), s.fn.GP64(), s.fn.YMM()
	s.fn.LEAQ(s.place("line"), bytes)
	s.fn.MOVL(s.place("headers").Idx(line, uint8(s.wordBytes())), header.As32())
	s.fn.MOVQ(s.fn.Field(list, "linearList", "header"), done)
	s.fn.MOVB(header.As8(), Mem{Base: done})
	s.fn.MOVQ(s.fn.Field(list, "linearList", "line"), done)
	s.fn.VMOVDQU64(Mem{Base: bytes}, lower)
	s.fn.VPORQ(Mem{Base: bytes, Disp: shared.LineBytes / 2}, upper, upper)
	s.fn.VMOVDQU64(lower, Mem{Base: done})
	s.fn.VMOVDQU64(upper, Mem{Base: done, Disp: shared.LineBytes / 2})
	s.fn.ADDQ(I32(lineSlots*4), slots)
	s.fn.ADDQ(U8(s.fn.Size("linearList")), list)
	s.fn.INCQ(line)
	s.fn.CMPQ(line, U8(s.in.lines))
	s.fn.JLT(LabelRef("write"))
}
