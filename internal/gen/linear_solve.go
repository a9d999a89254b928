package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

const (
	solvedLines = 8   // at once: each is a quadword of the vectors
	lineKeys    = 64  // at most, of a line
	seeds       = 4   // of which the best is found
	slotRoom    = 128 // slots of a line in a linearRoom: a slot behind 63 is none
	vectorBytes = 64
)

// A linearSolver solves eight lines at once. Quadword i of every vector belongs to line i.
// Rows are words: slots from the lowest bit on, and above them the fingerprint. What a rank
// is, from the highest of a line's orders down, has a vector for each seed.
type linearSolver struct {
	*kernel.Function
	shape, room, lists reg.GPVirtual
	ranks              reg.GPVirtual // in the line with the most keys
	lines              reg.VecVirtual
}

func linearSolve512(f *kernel.File) {
	fn := f.Function(kernel.AVX512, "linearSolveAVX512",
		"func(s *linearShape, lines int, lists *[8]linearList, room *linearRoom)",
		"linearSolveAVX512 solves eight lines of at most 64 keys each, whose slots and fingerprint fit",
		"in 64 bits. It writes the lines. Works as fallback.LinearSolve.")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	s := &linearSolver{
		Function: fn, shape: param("s"), room: param("room"), lists: param("lists"),
		ranks: fn.GP64(), lines: fn.ZMM(),
	}
	s.VPBROADCASTQ(param("lines"), s.lines)
	s.rank()
	s.eliminate()
	s.choose()
	s.substitute()
	s.scatter()
	s.write()
	s.VZEROUPPER()
	s.RET()
}

func (s *linearSolver) field(name string) Mem { return s.Field(s.shape, "linearShape", name) }

// place is the address of a field of the room.
func (s *linearSolver) place(name string) Mem { return s.Field(s.room, "linearRoom", name) }

// at returns the address of a field of the room, from where the field of a rank is.
func (s *linearSolver) at(name string) reg.GPVirtual {
	at := s.GP64()
	s.LEAQ(s.place(name), at)
	return at
}

// orders returns the places of hashes in their lines' orders.
func (s *linearSolver) orders(hashes Op) reg.VecVirtual {
	orders := s.ZMM()
	s.VPMULUDQ(hashes, s.lines, orders)
	s.VPSRLQ(U8(26), orders, orders)
	s.VPANDQ_BCST(s.Words("orders", 63), orders, orders)
	s.VPMINUD_BCST(s.Words("highestOrder", 62|62<<32), orders, orders)
	return orders
}

// choose takes each line's first seed with the lowest threshold. Keys below it lose their
// rows.
func (s *linearSolver) choose() {
	s.Comment("The best seeds.")
	best, bestSeed := s.ZMM(), s.ZMM()
	var chosen [seeds]reg.OpmaskVirtual
	s.VMOVDQU64(s.place("thresholds"), best)
	s.VPXORQ(bestSeed, bestSeed, bestSeed)
	const less = 1
	for seed := 1; seed < seeds; seed++ {
		threshold, lower := s.ZMM(), s.K()
		s.VMOVDQU64(s.place("thresholds").Offset(seed*vectorBytes), threshold)
		s.VPCMPUQ(U8(less), best, threshold, lower)
		s.VMOVDQA64(threshold, lower, best)
		number := s.ZMM()
		s.VPBROADCASTQ(s.Words(fmt.Sprint("seed", seed), uint64(seed)), number)
		s.VMOVDQA64(number, lower, bestSeed)
	}
	header := s.ZMM()
	s.VPSLLQ(U8(2), best, header)
	s.VPORQ(bestSeed, header, header)
	s.VMOVDQU64(header, s.place("headers"))
	for seed := 1; seed < seeds; seed++ {
		chosen[seed] = s.K()
		s.VPCMPEQQ_BCST(s.Words(fmt.Sprint("seed", seed), uint64(seed)), bestSeed, chosen[seed])
	}
	orders, row, low, left := s.at("orders"), s.at("rows"), s.at("lows"), s.GP64()
	s.MOVQ(s.ranks, left)
	s.TESTQ(left, left)
	s.JZ(LabelRef("chosen"))
	s.Label("choose")
	held := s.K()
	const notLess = 5
	order := s.ZMM()
	s.VMOVDQU64(Mem{Base: orders}, order)
	s.VPCMPUQ(U8(notLess), best, order, held)
	for _, from := range []reg.GPVirtual{row, low} {
		z := s.ZMM()
		s.VMOVDQU64(Mem{Base: from}, z)
		for seed := 1; seed < seeds; seed++ {
			s.VMOVDQU64(Mem{Base: from, Disp: seed * vectorBytes}, chosen[seed], z)
		}
		s.VMOVDQA64_Z(z, held, z)
		s.VMOVDQU64(z, Mem{Base: from})
	}
	s.ADDQ(U8(vectorBytes), orders)
	s.ADDQ(I32(seeds*vectorBytes), row)
	s.ADDQ(I32(seeds*vectorBytes), low)
	s.DECQ(left)
	s.JNZ(LabelRef("choose"))
	s.Label("chosen")
}

// substitute finds the values of the leading slots, from the last rank up: a row's own is
// its fingerprint, and those of the later ranks whose leading slots are in the row.
func (s *linearSolver) substitute() {
	s.Comment("Values of slots.")
	row, value, last := s.GP64(), s.GP64(), s.GP64()
	s.MOVQ(s.ranks, last)
	s.SHLQ(U8(8), last) // seeds*vectorBytes
	s.LEAQ(s.place("rows"), row)
	s.ADDQ(row, last)
	s.MOVQ(last, value)
	s.Label("substitute")
	first := s.at("rows")
	s.CMPQ(value, first)
	s.JLE(LabelRef("substituted"))
	s.SUBQ(I32(seeds*vectorBytes), value)
	slots, sum := s.ZMM(), s.ZMM()
	s.VMOVDQU64(Mem{Base: value}, slots)
	s.VMOVDQA64(slots, sum)
	s.LEAQ(Mem{Base: value, Disp: seeds * vectorBytes}, row)
	low := s.GP64()
	s.MOVQ(row, low)
	s.SUBQ(first, low)
	lows := s.at("lows")
	s.ADDQ(lows, low)
	s.CMPQ(row, last)
	s.JGE(LabelRef("summed"))
	s.Label("sum")
	contains := s.K()
	s.VPTESTMQ(Mem{Base: low}, slots, contains)
	s.VPXORQ(Mem{Base: row, Disp: vectorBytes}, sum, contains, sum)
	s.ADDQ(I32(seeds*vectorBytes), row)
	s.ADDQ(I32(seeds*vectorBytes), low)
	s.CMPQ(row, last)
	s.JLT(LabelRef("sum"))
	s.Label("summed")
	s.VPANDQ_BCST(s.field("fingerprintMask"), sum, sum)
	s.VMOVDQU64(sum, Mem{Base: value, Disp: vectorBytes}) // where another seed's row was
	s.JMP(LabelRef("substitute"))
	s.Label("substituted")
}

// scatter puts the values where the lines' slots are.
func (s *linearSolver) scatter() {
	s.Comment("Slots.")
	zero, slots, end := s.ZMM(), s.at("slots"), s.GP64()
	s.VPXORQ(zero, zero, zero)
	s.LEAQ(Mem{Base: slots, Disp: solvedLines * slotRoom * 4}, end)
	at := s.GP64()
	s.MOVQ(slots, at)
	s.Label("clear")
	s.VMOVDQU64(zero, Mem{Base: at})
	s.ADDQ(U8(vectorBytes), at)
	s.CMPQ(at, end)
	s.JLT(LabelRef("clear"))

	var first [solvedLines]uint64
	for line := range first {
		first[line] = uint64(line * slotRoom)
	}
	lines, ones := s.ZMM(), s.ZMM()
	s.VMOVDQU64(s.Words("slotsOfLines", first[:]...), lines)
	s.VPTERNLOGD(U8(0xff), ones, ones, ones)
	row, low, left := s.at("rows"), s.at("lows"), s.GP64()
	s.MOVQ(s.ranks, left)
	s.TESTQ(left, left)
	s.JZ(LabelRef("scattered"))
	s.Label("scatter")
	slot, value := s.ZMM(), s.ZMM()
	s.VPADDQ(Mem{Base: low}, ones, slot) // the bits below the lowest; all of them if there is none
	s.VPOPCNTB(slot, slot)
	s.VPSADBW(zero, slot, slot)
	s.VPADDQ(lines, slot, slot)
	s.VMOVDQU64(slot, s.place("places"))
	s.VMOVDQU64(Mem{Base: row, Disp: vectorBytes}, value)
	s.VPSRLVQ_BCST(s.field("allSlots"), value, value)
	s.VMOVDQU64(value, s.place("values"))
	for line := range solvedLines {
		to, word := s.GP64(), s.GP64()
		s.MOVQ(s.place("places").Offset(8*line), to)
		s.MOVQ(s.place("values").Offset(8*line), word)
		s.MOVL(word.As32(), Mem{Base: slots, Index: to, Scale: 4})
	}
	s.ADDQ(I32(seeds*vectorBytes), row)
	s.ADDQ(I32(seeds*vectorBytes), low)
	s.DECQ(left)
	s.JNZ(LabelRef("scatter"))
	s.Label("scattered")
}

// write writes the lines: the planes' bytes are the bits of eight slots, transposed.
func (s *linearSolver) write() {
	s.Comment("Lines.")
	var byColumns [4]uint64 // the bytes of eight slots, the last slot's first
	for group := range byColumns {
		for slot := range 8 {
			byColumns[group] |= uint64(4*(7-slot)+group) << (8 * slot)
		}
	}
	columns, bits := s.YMM(), s.YMM()
	s.VMOVDQU64(s.Words("byColumns", byColumns[:]...), columns)
	s.VPBROADCASTQ(s.Words("bitOfByte", 0x8040201008040201), bits)
	list, slots, line, left := s.GP64(), s.at("slots"), s.GP64(), s.GP64()
	s.MOVQ(s.lists, list)
	s.XORQ(line, line)
	zero := s.ZMM()
	s.VPXORQ(zero, zero, zero)
	s.Label("write")
	bytes, from := s.at("line"), s.GP64()
	s.VMOVDQU64(zero, Mem{Base: bytes})
	s.MOVQ(slots, from)
	s.MOVQ(s.field("planes"), left)
	s.Label("plane")
	plane := s.YMM()
	s.VPERMB(Mem{Base: from}, columns, plane)
	s.VGF2P8AFFINEQB(U8(0), plane, bits, plane)
	s.VMOVDQU64(plane, Mem{Base: bytes})
	s.ADDQ(U8(8*4), from)
	s.ADDQ(s.field("bits"), bytes)
	s.DECQ(left)
	s.JNZ(LabelRef("plane"))

	tail := s.at("line")
	at := s.GP64()
	s.LEAQ(s.field("tailSlots"), at)
	s.MOVQ(s.field("tail"), left)
	s.TESTQ(left, left)
	s.JZ(LabelRef("written"))
	s.Label("tailSlot")
	value, to := s.GP64(), s.GP64()
	s.MOVL(Mem{Base: from}, value.As32())
	s.MOVQ(Mem{Base: at}, to)
	s.MOVQ(Mem{Base: at, Disp: 8}, reg.RCX)
	s.SHLQ(reg.CL, value)
	s.ORQ(value, Mem{Base: tail, Index: to, Scale: 1})
	s.ADDQ(U8(4), from)
	s.ADDQ(U8(16), at)
	s.DECQ(left)
	s.JNZ(LabelRef("tailSlot"))
	s.Label("written")

	header, done, z := s.GP64(), s.GP64(), s.ZMM()
	s.MOVQ(s.place("headers").Idx(line, 8), header)
	s.MOVB(header.As8(), Mem{Base: tail, Disp: lineBytes - 1})
	s.MOVQ(s.Field(list, "linearList", "line"), done)
	s.VMOVDQU64(Mem{Base: tail}, z)
	s.VMOVDQU64(z, Mem{Base: done})
	s.ADDQ(I32(slotRoom*4), slots)
	s.ADDQ(U8(s.Size("linearList")), list)
	s.INCQ(line)
	s.CMPQ(line, U8(solvedLines))
	s.JLT(LabelRef("write"))
}
