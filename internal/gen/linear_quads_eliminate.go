package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// quadRow is the rows of a rank. The rest is there if rows are two words.
type quadRow struct{ row, rest reg.VecVirtual }

// eliminate reduces the rows of each rank by those before. A line's threshold is above the
// first order at which no slots are left of a row, but a fingerprint. It ends at the last
// rank, or where all thresholds are found.
func (s *quadSolver) eliminate() {
	s.Comment("Elimination.")
	s.XORQ(s.at, s.at)
	s.CMPQ(s.at, s.end)
	s.JGE(LabelRef("eliminated"))
	if !s.wide {
		const many = 2 * ranksPerBlock
		beyond := s.GP64()
		s.Label("many")
		s.LEAQ(Mem{Base: s.at, Disp: many * quadBytes}, beyond)
		s.CMPQ(beyond, s.end)
		s.JGT(LabelRef("few"))
		s.block("many", many)
		s.CMPQ(s.at, s.end)
		s.JLT(LabelRef("many"))
		s.JMP(LabelRef("eliminated"))
	}
	s.Label("few")
	s.block("few", ranksPerBlock)
	s.CMPQ(s.at, s.end)
	s.JLT(LabelRef("few"))
	s.Label("eliminated")
}

// block reduces the rows of some ranks.
func (s *quadSolver) block(name string, ranks int) {
	beyond := s.GP64()
	s.LEAQ(Mem{Base: s.at, Disp: ranks * quadBytes}, beyond)
	s.equations(name, beyond)
	rows := make([]quadRow, ranks)
	for i := range rows {
		rows[i].row = s.load(s.row(s.rows, "rows", s.at).Offset(quadBytes * i))
		if s.wide {
			rows[i].rest = s.load(s.row(s.rows, "rests", s.at).Offset(quadBytes * i))
		}
	}
	other := s.GP64()
	s.XORQ(other, other)
	s.TESTQ(s.at, s.at)
	s.JZ(LabelRef(name + "Reduced"))
	s.loop(name+"Reduce", other, s.at, 1, func() { s.reduce(rows, s.loadRow(s.rows, other)) })
	s.Label(name + "Reduced")

	any := s.YMM() // nonzero if a row has no slots but a fingerprint, or may be such a row
	for i := range rows {
		s.VPXOR(s.presence(), rows[i].row, rows[i].row)
		at := func(field string) Mem { return s.row(s.rows, field, s.at).Offset(quadBytes * i) }
		some := s.YMM()
		if s.wide {
			s.VPXOR(some, some, some)
			s.VPCMPEQQ(some, rows[i].row, some)
			last := s.YMM()
			s.VPAND(some, rows[i].rest, last)
			s.VPANDN(rows[i].rest, some, rows[i].rest)
			s.VMOVDQU(last, at("lasts"))
			s.VMOVDQU(rows[i].rest, at("rests"))
			some = last
		} else {
			s.VMOVDQU(s.field("fingerprintEnd"), some)
			s.VPCMPGTQ(rows[i].row, some, some)
		}
		s.VMOVDQU(rows[i].row, at("rows"))
		s.reduce(rows[i+1:], rows[i])
		if i == 0 {
			s.VMOVDQA(some, any)
		} else {
			s.VPOR(some, any, any)
		}
	}
	s.VPTEST(any, any)
	s.JZ(LabelRef(name + "Held"))
	s.fail(name, beyond)
	s.Label(name + "Held")
	s.MOVQ(beyond, s.at)
}

// loadRow loads a reduced row.
func (s *quadSolver) loadRow(rows, at reg.Register) (r quadRow) {
	r.row = s.load(s.row(rows, "rows", at))
	if s.wide {
		r.rest = s.load(s.row(rows, "rests", at))
	}
	return r
}

// reduce XORs rows with another one where they have its leading slot.
func (s *quadSolver) reduce(rows []quadRow, by quadRow) {
	const less = 0x11 // without exceptions
	for _, r := range rows {
		without := s.YMM()
		s.VXORPD(by.row, r.row, without)
		if s.wide {
			smaller := s.YMM()
			s.VCMPPD(U8(less), r.row, without, smaller)
			s.VPAND(by.rest, smaller, smaller)
			s.VPXOR(smaller, r.rest, r.rest)
		}
		s.VMINPD(without, r.row, r.row)
	}
}

// fail finds the thresholds that the rows from a rank on give. It goes to eliminated when
// all are found.
func (s *quadSolver) fail(name string, beyond reg.GPVirtual) {
	i, zero, threshold := s.GP64(), s.zero(), s.load(s.place("threshold"))
	field := "rows"
	if s.wide {
		field = "lasts"
		s.CMPQ(s.at, s.lasts)
		s.CMOVQLT(s.at, s.lasts)
	}
	s.MOVQ(s.at, i)
	s.loop(name+"Fail", i, beyond, 1, func() {
		row, empty, few := s.load(s.row(s.rows, field, i)), s.YMM(), s.load(s.field("fingerprintEnd"))
		if s.wide {
			s.reduceLast(name+"Last", s.rows, row, s.lasts, i)
			s.VMOVDQU(row, s.row(s.rows, field, i))
		}
		s.VPCMPEQQ(zero, row, empty)
		s.VPCMPGTQ(row, few, few)
		s.VPANDN(few, empty, few)
		s.VPAND(s.of("orders", i), few, few)
		s.VPMAXUD(few, threshold, threshold)
	})
	s.VMOVDQU(threshold, s.place("threshold"))
	s.VPCMPEQQ(zero, threshold, threshold)
	s.MOVQ(beyond, s.at)
	s.VPTEST(threshold, threshold)
	s.JZ(LabelRef("eliminated"))
}

// reduceLast reduces a last row by those of the ranks from one to another.
func (s *quadSolver) reduceLast(label string, rows reg.GPVirtual, row reg.VecVirtual, from, to reg.Register) {
	other := s.GP64()
	s.MOVQ(from, other)
	s.CMPQ(other, to)
	s.JGE(LabelRef(label + "Reduced"))
	s.loop(label, other, to, 1, func() {
		without := s.YMM()
		s.VPXOR(s.row(rows, "lasts", other), row, without)
		s.VPMINUD(without, row, row)
	})
	s.Label(label + "Reduced")
}

// equations finds the rows of a seed, of the ranks before one.
func (s *quadSolver) equations(name string, beyond reg.GPVirtual) {
	table, offset := s.GP64(), s.GP64()
	reverse := s.reversal()
	seed, rowShift, align := s.YMM(), s.load(s.field("rowShift")), s.load(s.field("align"))
	planes, slots := s.load(s.field("planeBytes")), s.load(s.field("slots"))
	s.LEAQ(s.Words("linearSeeds", linearSeeds[:]...), table)
	s.VPBROADCASTQ(Mem{Base: table, Index: s.seed, Scale: 8}, seed)
	s.MOVQ(s.seed, offset)
	s.SHLQ(U8(5), offset)
	tail := s.load(s.field("tailBytes").Idx(offset, 1))
	i := s.GP64()
	s.MOVQ(s.at, i)
	s.loop(name+"Equations", i, beyond, 1, func() {
		row, more := s.YMM(), s.YMM()
		s.VPMULUDQ(s.of("highs", i), seed, row)
		s.VPSRLVQ(rowShift, row, row)
		s.VPSHUFB(planes, reverse(row), row)
		word := s.load(s.of("words", i))
		s.VPSHUFB(tail, word, more)
		s.VPOR(more, row, row)
		if !s.wide {
			s.VPSRLVQ(align, row, row)
			s.VPAND(slots, row, row)
			s.VPOR(s.of("fingerprints", i), row, row)
			s.VMOVDQU(row, s.row(s.rows, "rows", i))
			return
		}
		s.VPAND(s.field("restSlots"), row, more)
		s.VPSLLVQ(s.field("restShift"), more, more)
		s.VPSHUFB(s.field("restTailBytes").Idx(offset, 1), word, word)
		s.VPSLLVQ(s.field("restTailShift"), word, word)
		s.VPOR(word, more, more)
		s.VPOR(s.of("fingerprints", i), more, more)
		s.VMOVDQU(more, s.row(s.rows, "rests", i))
		s.VPSRLVQ(align, row, row)
		s.VPAND(slots, row, row)
		s.VPOR(s.presence(), row, row)
		s.VMOVDQU(row, s.row(s.rows, "rows", i))
	})
}
