package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A pairedSingle finds a key's blocks. The own one is tested first, without the
// positions in its pair index, which count as found: absent keys seldom need the
// other's line. Then both are tested exactly.
type pairedSingle struct {
	*single
	own, other   reg.GPVirtual // offsets
	body         reg.GPVirtual
	high         reg.GPVirtual // as the own block's probes take it
	lower, upper Mem           // halves of the own block
	indexBits    reg.VecVirtual
}

func newPairedSingle(s *single) *pairedSingle {
	p := &pairedSingle{single: s, own: s.offset("body"), other: s.GP64(), body: s.GP64(), high: s.GP64(), indexBits: s.YMM()}
	shifted := s.GP64()
	s.MOVQ(s.field("body"), p.body)
	s.VMOVD(s.field("numbers"), p.indexBits.AsX()) // as many as number a batch's blocks
	block := Mem{Base: p.body, Index: p.own, Scale: 1}
	s.MOVBLZX(block, p.other.As32())
	s.SHLL(U8(6), p.other.As32())
	s.XORL(p.own.As32(), p.other.As32())
	s.ANDL(s.field("offsets"), p.other.As32())
	s.XORL(p.own.As32(), p.other.As32())
	s.MOVL(s.hash.Offset(4), p.high.As32())
	s.MOVL(p.high.As32(), shifted.As32())
	s.SHLL(U8(9), shifted.As32())
	s.CMPL(p.own.As32(), p.other.As32())
	s.CMOVLCC(shifted.As32(), p.high.As32()) // not the lower block
	p.lower, p.upper = block, block.Offset(32)
	return p
}

// both orders the blocks and returns them.
func (p *pairedSingle) both() (lower, higher Mem) {
	least := p.GP64()
	p.MOVQ(p.own, least)
	p.CMPQ(p.other, p.own)
	p.CMOVQCS(p.other, least)
	p.CMOVQCS(p.own, p.other)
	return Mem{Base: p.body, Index: least, Scale: 1}, Mem{Base: p.body, Index: p.other, Scale: 1}
}

func pairedSingle512(f *kernel.File) {
	s := newSingle(f, "Paired", kernel.AVX512, "pairedContains",
		"pairedContains is PairedContains, at the level that f was made for.")
	one := f.Words("one", 1|1<<32)
	missing := s.K()
	s.is(form512)
	s.JNE(LabelRef("other"))
	// Both sets of probes of the own block in one vector: which is the key's can wait
	// until all of one are found. (What absent keys of a large filter cost is how many
	// calls wait for memory at once.)
	own, body, product, word := s.offset("body"), s.GP64(), s.ZMM(), s.ZMM()
	indexBits, block, missed, borrowed := s.ZMM(), s.ZMM(), s.GP32(), s.GP32()
	s.MOVQ(s.field("body"), body)
	s.VMOVD(s.field("numbers"), indexBits.AsX())
	s.high(product)
	s.VPMULLD(s.field("sets"), product, product)
	s.VPSRLD(U8(28), product, word)
	s.VPORD(Mem{Base: body, Index: own, Scale: 1}, indexBits, block)
	s.VPERMD(block, word, word)
	s.VPTESTNMD_BCST(one, s.rotated(word, product), missing)
	s.KMOVW(missing, missed)
	// Whether a byte is zero: one jump, since nobody can predict which.
	s.LEAL(Mem{Base: missed, Disp: -0x0101}, borrowed)
	s.NOTL(missed)
	s.ANDL(borrowed, missed)
	s.TESTL(U32(0x8080), missed)
	s.JNE(LabelRef("exact"))
	s.no()
	s.Label("exact")
	p := newPairedSingle(s)
	p.exact512(one, missing)

	s.Label("other")
	s.is(form512by16)
	s.JEQ(LabelRef("more"))
	s.TailCall("pairedContainsAVX2")
	s.Label("more")
	p = newPairedSingle(s)
	product, word, block = s.ZMM(), s.ZMM(), s.ZMM()
	s.VPBROADCASTD(p.high.As32(), product)
	s.VPMULLD(Mem{Base: s.multipliers()}, product, product)
	s.VPSRLD(U8(28), product, word)
	s.VPORD(p.lower, p.indexBits.AsZ(), block)
	s.VPERMD(block, word, word)
	s.VPTESTNMD_BCST(one, s.rotated(word, product), missing)
	s.KORTESTW(missing, missing)
	s.JEQ(LabelRef("exactMore"))
	s.no()
	s.Label("exactMore")
	p.exact512(one, missing)
}

// exact512 takes a block as the table of VPERMD, for up to 16 probes.
func (p *pairedSingle) exact512(one Mem, missing reg.OpmaskVirtual) {
	lower, higher := p.both()
	sets := newSets512(p.Function, p.field)
	product := p.single.high(p.ZMM())
	p.VPMULLD(Mem{Base: p.multipliers()}, product, product)
	set0, set1 := sets.sets(product)
	word0, word1 := p.ZMM(), p.ZMM()
	p.VPSRLD(U8(28), set0, word0)
	p.VPSRLD(U8(28), set1, word1)
	p.VPERMD(lower, word0, word0)
	p.VPERMD(higher, word1, word1)
	p.VPANDD(p.rotated(word0, set0), p.rotated(word1, set1), word1)
	p.VPTESTNMD_BCST(one, word1, missing)
	p.KORTESTW(missing, missing)
	p.equal()
}

func pairedSingle256(f *kernel.File) {
	s := newSingle(f, "Paired", kernel.AVX2, "pairedContainsAVX2",
		"pairedContainsAVX2 is where pairedContains goes on with less than AVX-512.")
	s.is(generic)
	s.JNE(LabelRef("vectors"))
	s.TailCall("pairedContainsGeneric")
	s.Label("vectors")
	p := newPairedSingle(s)
	row := s.multipliers()
	s.is(form256)
	s.JNE(LabelRef("more"))
	p.test256(row, 1, "")
	s.Label("more")
	p.test256(row, 2, "More")
}

func (p *pairedSingle) test256(row reg.Register, rounds int, label string) {
	probes := newProbes256(p.Function, rounds, row)
	own, low := p.YMM(), p.YMM()
	p.VMOVD(p.high.As32(), own.AsX())
	p.VPBROADCASTD(own.AsX(), own)
	p.VPOR(p.lower, p.indexBits, low)
	var all reg.VecVirtual
	for _, powers := range probes.powers {
		all = probes.both(all, probes.signs(probes.product(own, powers), low, p.upper))
	}
	p.CMPL(probes.bits(all), U32(0xff))
	p.JEQ(LabelRef("exact" + label))
	p.no()
	p.Label("exact" + label)
	lower, higher := p.both()
	sets := newSets256(p.Function, p.field)
	p.single.high(own)
	all = nil
	for _, powers := range probes.powers {
		set0, set1 := sets.sets(probes.product(own, powers))
		all = probes.both(all, probes.signs(set0, lower, lower.Offset(32)))
		all = probes.both(all, probes.signs(set1, higher, higher.Offset(32)))
	}
	p.CMPL(probes.bits(all), U32(0xff))
	p.equal()
}
