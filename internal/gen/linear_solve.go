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
	slotScratch = 128 // slots of a line in a linearScratch: a slot behind 63 is none
	vectorBytes = 64
)

// A linearSolver solves eight lines at once. Quadword i of every vector belongs to line i.
// Rows are words: slots from the lowest bit on, and above them the fingerprint. What a rank
// is, from the highest of a line's orders down, has a vector for each seed.
type linearSolver struct {
	fn                    *kernel.Function
	shape, scratch, lists reg.GPVirtual
	ranks                 reg.GPVirtual // in the line with the most keys
	lines                 reg.VecVirtual
}

func linearSolve512(f *kernel.File) {
	fn := f.Function(kernel.AVX512, "linearSolveAVX512",
		"func(s *linearShape, lines int, lists *[8]linearList, scratch *linearScratch)",
		"linearSolveAVX512 solves eight lines of at most 64 keys each, whose slots and fingerprint fit",
		"in 64 bits. It writes the lines. Works as fallback.LinearSolve.")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	s := &linearSolver{
		fn: fn, shape: param("s"), scratch: param("scratch"), lists: param("lists"),
		ranks: fn.GP64(), lines: fn.ZMM(),
	}
	s.fn.VPBROADCASTQ(param("lines"), s.lines)
	s.rank()
	s.eliminate()
	s.choose()
	s.substitute()
	s.scatter()
	s.write()
	s.fn.VZEROUPPER()
	s.fn.RET()
}

func (s *linearSolver) field(name string) Mem { return s.fn.Field(s.shape, "linearShape", name) }

// place is the address of a field of the room.
func (s *linearSolver) place(name string) Mem { return s.fn.Field(s.scratch, "linearScratch", name) }

// at returns the address of a field of the room, from where the field of a rank is.
func (s *linearSolver) at(name string) reg.GPVirtual {
	at := s.fn.GP64()
	s.fn.LEAQ(s.place(name), at)
	return at
}

// orders returns the places of hashes in their lines' orders.
func (s *linearSolver) orders(hashes Op) reg.VecVirtual {
	orders := s.fn.ZMM()
	s.fn.VPMULUDQ(hashes, s.lines, orders)
	s.fn.VPSRLQ(U8(26), orders, orders)
	s.fn.VPANDQ_BCST(s.fn.Words("orders", 63), orders, orders)
	s.fn.VPMINUD_BCST(s.fn.Words("highestOrder", 62|62<<32), orders, orders)
	return orders
}

// choose takes each line's first seed with the lowest threshold. Keys below it lose their
// rows.
func (s *linearSolver) choose() {
	s.fn.Comment("The best seeds.")
	best, bestSeed := s.fn.ZMM(), s.fn.ZMM()
	var chosen [seeds]reg.OpmaskVirtual
	s.fn.VMOVDQU64(s.place("thresholds"), best)
	s.fn.VPXORQ(bestSeed, bestSeed, bestSeed)
	const less = 1
	for seed := 1; seed < seeds; seed++ {
		threshold, lower := s.fn.ZMM(), s.fn.K()
		s.fn.VMOVDQU64(s.place("thresholds").Offset(seed*vectorBytes), threshold)
		s.fn.VPCMPUQ(U8(less), best, threshold, lower)
		s.fn.VMOVDQA64(threshold, lower, best)
		number := s.fn.ZMM()
		s.fn.VPBROADCASTQ(s.fn.Words(fmt.Sprint("seed", seed), uint64(seed)), number)
		s.fn.VMOVDQA64(number, lower, bestSeed)
	}
	header := s.fn.ZMM()
	s.fn.VPSLLQ(U8(2), best, header)
	s.fn.VPORQ(bestSeed, header, header)
	s.fn.VMOVDQU64(header, s.place("headers"))
	for seed := 1; seed < seeds; seed++ {
		chosen[seed] = s.fn.K()
		s.fn.VPCMPEQQ_BCST(s.fn.Words(fmt.Sprint("seed", seed), uint64(seed)), bestSeed, chosen[seed])
	}
	orders, row, low, left := s.at("orders"), s.at("rows"), s.at("lows"), s.fn.GP64()
	s.fn.MOVQ(s.ranks, left)
	s.fn.TESTQ(left, left)
	s.fn.JZ(LabelRef("chosen"))
	s.fn.Label("choose")
	held := s.fn.K()
	const notLess = 5
	order := s.fn.ZMM()
	s.fn.VMOVDQU64(Mem{Base: orders}, order)
	s.fn.VPCMPUQ(U8(notLess), best, order, held)
	for _, from := range []reg.GPVirtual{row, low} {
		z := s.fn.ZMM()
		s.fn.VMOVDQU64(Mem{Base: from}, z)
		for seed := 1; seed < seeds; seed++ {
			s.fn.VMOVDQU64(Mem{Base: from, Disp: seed * vectorBytes}, chosen[seed], z)
		}
		s.fn.VMOVDQA64_Z(z, held, z)
		s.fn.VMOVDQU64(z, Mem{Base: from})
	}
	s.fn.ADDQ(U8(vectorBytes), orders)
	s.fn.ADDQ(I32(seeds*vectorBytes), row)
	s.fn.ADDQ(I32(seeds*vectorBytes), low)
	s.fn.DECQ(left)
	s.fn.JNZ(LabelRef("choose"))
	s.fn.Label("chosen")
}

// substitute finds the values of the leading slots, from the last rank up: a row's own is
// its fingerprint, and those of the later ranks whose leading slots are in the row.
func (s *linearSolver) substitute() {
	s.fn.Comment("Values of slots.")
	row, value, last := s.fn.GP64(), s.fn.GP64(), s.fn.GP64()
	s.fn.MOVQ(s.ranks, last)
	s.fn.SHLQ(U8(8), last) // seeds*vectorBytes
	s.fn.LEAQ(s.place("rows"), row)
	s.fn.ADDQ(row, last)
	s.fn.MOVQ(last, value)
	s.fn.Label("substitute")
	first := s.at("rows")
	s.fn.CMPQ(value, first)
	s.fn.JLE(LabelRef("substituted"))
	s.fn.SUBQ(I32(seeds*vectorBytes), value)
	slots, sum := s.fn.ZMM(), s.fn.ZMM()
	s.fn.VMOVDQU64(Mem{Base: value}, slots)
	s.fn.VMOVDQA64(slots, sum)
	s.fn.LEAQ(Mem{Base: value, Disp: seeds * vectorBytes}, row)
	low := s.fn.GP64()
	s.fn.MOVQ(row, low)
	s.fn.SUBQ(first, low)
	lows := s.at("lows")
	s.fn.ADDQ(lows, low)
	s.fn.CMPQ(row, last)
	s.fn.JGE(LabelRef("summed"))
	s.fn.Label("sum")
	contains := s.fn.K()
	s.fn.VPTESTMQ(Mem{Base: low}, slots, contains)
	s.fn.VPXORQ(Mem{Base: row, Disp: vectorBytes}, sum, contains, sum)
	s.fn.ADDQ(I32(seeds*vectorBytes), row)
	s.fn.ADDQ(I32(seeds*vectorBytes), low)
	s.fn.CMPQ(row, last)
	s.fn.JLT(LabelRef("sum"))
	s.fn.Label("summed")
	s.fn.VPANDQ_BCST(s.field("fingerprintMask"), sum, sum)
	s.fn.VMOVDQU64(sum, Mem{Base: value, Disp: vectorBytes}) // where another seed's row was
	s.fn.JMP(LabelRef("substitute"))
	s.fn.Label("substituted")
}

// scatter puts the values where the lines' slots are.
func (s *linearSolver) scatter() {
	s.fn.Comment("Slots.")
	zero, slots, end := s.fn.ZMM(), s.at("slots"), s.fn.GP64()
	s.fn.VPXORQ(zero, zero, zero)
	s.fn.LEAQ(Mem{Base: slots, Disp: solvedLines * slotScratch * 4}, end)
	at := s.fn.GP64()
	s.fn.MOVQ(slots, at)
	s.fn.Label("clear")
	s.fn.VMOVDQU64(zero, Mem{Base: at})
	s.fn.ADDQ(U8(vectorBytes), at)
	s.fn.CMPQ(at, end)
	s.fn.JLT(LabelRef("clear"))

	var first [solvedLines]uint64
	for line := range first {
		first[line] = uint64(line * slotScratch)
	}
	lines, ones := s.fn.ZMM(), s.fn.ZMM()
	s.fn.VMOVDQU64(s.fn.Words("slotsOfLines", first[:]...), lines)
	s.fn.VPTERNLOGD(U8(0xff), ones, ones, ones)
	row, low, left := s.at("rows"), s.at("lows"), s.fn.GP64()
	s.fn.MOVQ(s.ranks, left)
	s.fn.TESTQ(left, left)
	s.fn.JZ(LabelRef("scattered"))
	s.fn.Label("scatter")
	slot, value := s.fn.ZMM(), s.fn.ZMM()
	s.fn.VPADDQ(Mem{Base: low}, ones, slot) // the bits below the lowest; all of them if there is none
	s.fn.VPOPCNTB(slot, slot)
	s.fn.VPSADBW(zero, slot, slot)
	s.fn.VPADDQ(lines, slot, slot)
	s.fn.VMOVDQU64(slot, s.place("places"))
	s.fn.VMOVDQU64(Mem{Base: row, Disp: vectorBytes}, value)
	s.fn.VPSRLVQ_BCST(s.field("allSlots"), value, value)
	s.fn.VMOVDQU64(value, s.place("values"))
	for line := range solvedLines {
		to, word := s.fn.GP64(), s.fn.GP64()
		s.fn.MOVQ(s.place("places").Offset(8*line), to)
		s.fn.MOVQ(s.place("values").Offset(8*line), word)
		s.fn.MOVL(word.As32(), Mem{Base: slots, Index: to, Scale: 4})
	}
	s.fn.ADDQ(I32(seeds*vectorBytes), row)
	s.fn.ADDQ(I32(seeds*vectorBytes), low)
	s.fn.DECQ(left)
	s.fn.JNZ(LabelRef("scatter"))
	s.fn.Label("scattered")
}

// write writes the lines: the planes' bytes are the bits of eight slots, transposed.
func (s *linearSolver) write() {
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
	s.fn.MOVQ(s.lists, list)
	s.fn.XORQ(line, line)
	zero := s.fn.ZMM()
	s.fn.VPXORQ(zero, zero, zero)
	s.fn.Label("write")
	bytes, from := s.at("line"), s.fn.GP64()
	s.fn.VMOVDQU64(zero, Mem{Base: bytes})
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

	tail := s.at("line")
	at := s.fn.GP64()
	s.fn.LEAQ(s.field("tailSlots"), at)
	s.fn.MOVQ(s.field("tail"), left)
	s.fn.TESTQ(left, left)
	s.fn.JZ(LabelRef("written"))
	s.fn.Label("tailSlot")
	value, to := s.fn.GP64(), s.fn.GP64()
	s.fn.MOVL(Mem{Base: from}, value.As32())
	s.fn.MOVQ(Mem{Base: at}, to)
	s.fn.MOVQ(Mem{Base: at, Disp: 8}, reg.RCX)
	s.fn.SHLQ(reg.CL, value)
	s.fn.ORQ(value, Mem{Base: tail, Index: to, Scale: 1})
	s.fn.ADDQ(U8(4), from)
	s.fn.ADDQ(U8(16), at)
	s.fn.DECQ(left)
	s.fn.JNZ(LabelRef("tailSlot"))
	s.fn.Label("written")

	header, done, z := s.fn.GP64(), s.fn.GP64(), s.fn.ZMM()
	s.fn.MOVQ(s.place("headers").Idx(line, 8), header)
	s.fn.MOVB(header.As8(), Mem{Base: tail, Disp: lineBytes - 1})
	s.fn.MOVQ(s.fn.Field(list, "linearList", "line"), done)
	s.fn.VMOVDQU64(Mem{Base: tail}, z)
	s.fn.VMOVDQU64(z, Mem{Base: done})
	s.fn.ADDQ(I32(slotScratch*4), slots)
	s.fn.ADDQ(U8(s.fn.Size("linearList")), list)
	s.fn.INCQ(line)
	s.fn.CMPQ(line, U8(solvedLines))
	s.fn.JLT(LabelRef("write"))
}
