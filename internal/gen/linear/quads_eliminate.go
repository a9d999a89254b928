package linear

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
	s.fn.Comment("Elimination.")
	s.fn.XORQ(s.at, s.at)
	s.fn.CMPQ(s.at, s.end)
	s.fn.JGE(LabelRef("eliminated"))
	if !s.wide {
		const many = 2 * ranksPerBlock
		beyond := s.fn.GP64()
		s.fn.Label("many")
		s.fn.LEAQ(Mem{Base: s.at, Disp: many * quadBytes}, beyond)
		s.fn.CMPQ(beyond, s.end)
		s.fn.JGT(LabelRef("few"))
		s.block("many", many)
		s.fn.CMPQ(s.at, s.end)
		s.fn.JLT(LabelRef("many"))
		s.fn.JMP(LabelRef("eliminated"))
	}
	s.fn.Label("few")
	s.block("few", ranksPerBlock)
	s.fn.CMPQ(s.at, s.end)
	s.fn.JLT(LabelRef("few"))
	s.fn.Label("eliminated")
}

// block reduces the rows of some ranks.
func (s *quadSolver) block(name string, ranks int) {
	beyond := s.fn.GP64()
	s.fn.LEAQ(Mem{Base: s.at, Disp: ranks * quadBytes}, beyond)
	s.equations(name, beyond)
	rows := make([]quadRow, ranks)
	for i := range rows {
		rows[i].row = s.load(s.row(s.rows, "rows", s.at).Offset(quadBytes * i))
		if s.wide {
			rows[i].rest = s.load(s.row(s.rows, "rests", s.at).Offset(quadBytes * i))
		}
	}
	other := s.fn.GP64()
	s.fn.XORQ(other, other)
	s.fn.TESTQ(s.at, s.at)
	s.fn.JZ(LabelRef(name + "Reduced"))
	s.loop(name+"Reduce", other, s.at, 1, func() { s.reduce(rows, s.loadRow(s.rows, other)) })
	s.fn.Label(name + "Reduced")

	any := s.fn.YMM() // nonzero if a row has no slots but a fingerprint, or may be such a row
	for i := range rows {
		s.fn.VPXOR(s.presence(), rows[i].row, rows[i].row)
		at := func(field string) Mem { return s.row(s.rows, field, s.at).Offset(quadBytes * i) }
		some := s.fn.YMM()
		if s.wide {
			s.fn.VPXOR(some, some, some)
			s.fn.VPCMPEQQ(some, rows[i].row, some)
			last := s.fn.YMM()
			s.fn.VPAND(some, rows[i].rest, last)
			s.fn.VPANDN(rows[i].rest, some, rows[i].rest)
			s.fn.VMOVDQU(last, at("lasts"))
			s.fn.VMOVDQU(rows[i].rest, at("rests"))
			some = last
		} else {
			s.fn.VMOVDQU(s.field("fingerprintEnd"), some)
			s.fn.VPCMPGTQ(rows[i].row, some, some)
		}
		s.fn.VMOVDQU(rows[i].row, at("rows"))
		s.reduce(rows[i+1:], rows[i])
		if i == 0 {
			s.fn.VMOVDQA(some, any)
		} else {
			s.fn.VPOR(some, any, any)
		}
	}
	s.fn.VPTEST(any, any)
	s.fn.JZ(LabelRef(name + "Held"))
	s.fail(name, beyond)
	s.fn.Label(name + "Held")
	s.fn.MOVQ(beyond, s.at)
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
		without := s.fn.YMM()
		s.fn.VXORPD(by.row, r.row, without)
		if s.wide {
			smaller := s.fn.YMM()
			s.fn.VCMPPD(U8(less), r.row, without, smaller)
			s.fn.VPAND(by.rest, smaller, smaller)
			s.fn.VPXOR(smaller, r.rest, r.rest)
		}
		s.fn.VMINPD(without, r.row, r.row)
	}
}

// fail finds the thresholds that the rows from a rank on give. It goes to eliminated when
// all are found.
func (s *quadSolver) fail(name string, beyond reg.GPVirtual) {
	i, zero, threshold := s.fn.GP64(), s.zero(), s.load(s.place("threshold"))
	field := "rows"
	if s.wide {
		field = "lasts"
		s.fn.CMPQ(s.at, s.lasts)
		s.fn.CMOVQLT(s.at, s.lasts)
	}
	s.fn.MOVQ(s.at, i)
	s.loop(name+"Fail", i, beyond, 1, func() {
		row, empty, few := s.load(s.row(s.rows, field, i)), s.fn.YMM(), s.load(s.field("fingerprintEnd"))
		if s.wide {
			s.reduceLast(name+"Last", s.rows, row, s.lasts, i)
			s.fn.VMOVDQU(row, s.row(s.rows, field, i))
		}
		s.fn.VPCMPEQQ(zero, row, empty)
		s.fn.VPCMPGTQ(row, few, few)
		s.fn.VPANDN(few, empty, few)
		s.fn.VPAND(s.of("orders", i), few, few)
		s.fn.VPMAXUD(few, threshold, threshold)
	})
	s.fn.VMOVDQU(threshold, s.place("threshold"))
	s.fn.VPCMPEQQ(zero, threshold, threshold)
	s.fn.MOVQ(beyond, s.at)
	s.fn.VPTEST(threshold, threshold)
	s.fn.JZ(LabelRef("eliminated"))
}

// reduceLast reduces a last row by those of the ranks from one to another.
func (s *quadSolver) reduceLast(label string, rows reg.GPVirtual, row reg.VecVirtual, from, to reg.Register) {
	other := s.fn.GP64()
	s.fn.MOVQ(from, other)
	s.fn.CMPQ(other, to)
	s.fn.JGE(LabelRef(label + "Reduced"))
	s.loop(label, other, to, 1, func() {
		without := s.fn.YMM()
		s.fn.VPXOR(s.row(rows, "lasts", other), row, without)
		s.fn.VPMINUD(without, row, row)
	})
	s.fn.Label(label + "Reduced")
}

// equations finds the rows of a seed, of the ranks before one.
func (s *quadSolver) equations(name string, beyond reg.GPVirtual) {
	reverse := s.reversal()
	seed, rowShift, align := s.fn.YMM(), s.load(s.field("rowShift")), s.load(s.field("align"))
	planes, slots := s.load(s.field("planeBytes")), s.load(s.field("slots"))
	tailBytes, restTailBytes := s.field("tailOfSeeds"), s.field("restTailOfSeeds")
	multipliers := s.fn.Words("linearSeeds", linearSeeds[:]...)
	if s.one {
		s.fn.VMOVDQU(multipliers, seed)
	} else {
		table, offset := s.fn.GP64(), s.fn.GP64()
		s.fn.LEAQ(multipliers, table)
		s.fn.VPBROADCASTQ(Mem{Base: table, Index: s.seed, Scale: 8}, seed)
		s.fn.MOVQ(s.seed, offset)
		s.fn.SHLQ(U8(5), offset)
		tailBytes, restTailBytes = s.field("tailBytes").Idx(offset, 1), s.field("restTailBytes").Idx(offset, 1)
	}
	tail := s.load(tailBytes)
	i := s.fn.GP64()
	s.fn.MOVQ(s.at, i)
	s.loop(name+"Equations", i, beyond, 1, func() {
		row, more := s.fn.YMM(), s.fn.YMM()
		s.fn.VPMULUDQ(s.of("highs", i), seed, row)
		s.fn.VPSRLVQ(rowShift, row, row)
		s.fn.VPSHUFB(planes, reverse(row), row)
		word := s.load(s.of("words", i))
		s.fn.VPSHUFB(tail, word, more)
		s.fn.VPOR(more, row, row)
		if !s.wide {
			s.fn.VPSRLVQ(align, row, row)
			s.fn.VPAND(slots, row, row)
			s.fn.VPOR(s.of("fingerprints", i), row, row)
			s.fn.VMOVDQU(row, s.row(s.rows, "rows", i))
			return
		}
		s.fn.VPAND(s.field("restSlots"), row, more)
		s.fn.VPSLLVQ(s.field("restShift"), more, more)
		s.fn.VPSHUFB(restTailBytes, word, word)
		s.fn.VPSLLVQ(s.field("restTailShift"), word, word)
		s.fn.VPOR(word, more, more)
		s.fn.VPOR(s.of("fingerprints", i), more, more)
		s.fn.VMOVDQU(more, s.row(s.rows, "rests", i))
		s.fn.VPSRLVQ(align, row, row)
		s.fn.VPAND(slots, row, row)
		s.fn.VPOR(s.presence(), row, row)
		s.fn.VMOVDQU(row, s.row(s.rows, "rows", i))
	})
}
