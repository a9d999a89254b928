package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A pairedSingle looks a key up in its own block first, where positions in the block's pair
// index count as found: absent keys seldom need the other line. Loading both lines at once
// would cost every absent key a second cache miss. Then both blocks are tested exactly.
type pairedSingle struct {
	*single
	numbers   Op            // the bits of a block's index that number it in its batch
	own, body reg.GPVirtual // an offset, and what it is from
}

func newPairedSingle(f *kernel.File, level kernel.Level, name string, from source, doc string) *pairedSingle {
	s := newSingle(f, level, name, from, doc)
	if level == kernel.AVX512 {
		s.begin(levelAVX512)
	} else {
		s.begin(levelAVX2)
	}
	p := &pairedSingle{single: s, own: s.offset(), body: s.GP64()}
	s.SHRL(U8(1), reg.ECX) // the probes of a block
	if s.field != nil {
		p.numbers = s.field("numbers")
	} else {
		numbers := s.GP64()
		s.MOVQ(s.batchBlocks, numbers)
		s.DECQ(numbers)
		p.numbers = numbers.As32()
	}
	s.MOVQ(s.body, p.body)
	return p
}

// block returns the own block.
func (p *pairedSingle) block() Mem { return Mem{Base: p.body, Index: p.own, Scale: 1} }

// partner finds the offset of the block that the own one is paired with.
func (p *pairedSingle) partner(other reg.GPVirtual) {
	offsets := p.GP64()
	p.MOVBLZX(p.block(), other.As32())
	p.MOVL(p.numbers, offsets.As32())
	p.SHLL(U8(6), offsets.As32())
	p.SHLL(U8(6), other.As32())
	p.XORL(p.own.As32(), other.As32())
	p.ANDL(offsets.As32(), other.As32())
	p.XORL(p.own.As32(), other.As32())
}

// ownHigh returns the high half of the hash as the own block's probes take it.
func (p *pairedSingle) ownHigh(other reg.GPVirtual) reg.GPVirtual {
	high, shifted := p.GP64(), p.GP64()
	p.MOVL(p.hash.Offset(4), high.As32())
	p.MOVL(high.As32(), shifted.As32())
	p.SHLL(U8(9), shifted.As32())
	p.CMPL(p.own.As32(), other.As32())
	p.CMOVLCC(shifted.As32(), high.As32()) // not the lower block
	return high
}

// ordered returns both blocks.
func (p *pairedSingle) ordered(other reg.GPVirtual) (lower, higher Mem) {
	least := p.GP64()
	p.MOVQ(p.own, least)
	p.CMPQ(other, p.own)
	p.CMOVQCS(other, least)
	p.CMOVQCS(p.own, other)
	return Mem{Base: p.body, Index: least, Scale: 1}, Mem{Base: p.body, Index: other, Scale: 1}
}

// setConstants returns what the sets of probes are remapped by.
func (p *pairedSingle) setConstants() (indexed, spread Op) {
	if p.field != nil {
		return p.field("indexed"), p.field("spread")
	}
	bits, others := p.GP32(), p.GP32()
	p.POPCNTL(p.numbers, bits)
	p.MOVL(U32(8*lineBytes), others)
	p.SUBL(bits, others)
	p.SHLL(U8(32-9), bits)
	return bits, others
}

// no returns that the key is absent.
func (p *pairedSingle) no() {
	p.MOVB(U8(0), p.answer)
	p.RET()
}

func pairedSingle512(f *kernel.File, from source) {
	p := newPairedSingle(f, kernel.AVX512, "pairedContains", from, "Contains of a filter, at the level that is named.")
	one := f.Words("one", 1|1<<32)
	missing := p.K()
	product, word, indexBits, block := reg.Z16, reg.Z17, reg.Z18, reg.Z19
	p.Comment("The own block, but for its pair index.")
	p.VMOVD(p.numbers, reg.X18)
	p.VPORD(p.block(), indexBits, block)
	p.CMPL(reg.ECX, U8(8))
	p.JA(LabelRef("more"))

	// Both sets of probes of the own block in one vector: which is the key's matters only
	// once all of one are found. (In a large filter, absent keys cost the less the more
	// calls wait for memory at once.)
	other, missed, borrowed, tested := p.GP64(), p.GP32(), p.GP32(), p.GP32()
	if p.field != nil {
		p.MOVL(p.field("tested"), tested)
	} else {
		p.MOVL(U32(1), tested)
		p.SHLL(reg.CL, tested)
		p.DECL(tested)
		p.IMUL3L(U32(0x0101), tested, tested)
	}
	p.high(product)
	p.VPMULLD(p.bothSets(), product, product)
	p.VPSRLD(U8(28), product, word)
	p.VPERMD(block, word, word)
	p.rotate(word, product)
	p.VPTESTNMD_BCST(one, word, missing)
	p.KMOVW(missing, missed)
	p.ANDL(tested, missed)
	// Whether a byte is zero: one jump, since which byte is unpredictable.
	p.LEAL(Mem{Base: missed, Disp: -0x0101}, borrowed)
	p.NOTL(missed)
	p.ANDL(borrowed, missed)
	p.TESTL(U32(0x8080), missed)
	p.JNE(LabelRef("passed"))
	p.no()
	p.Label("passed")
	p.NEGL(reg.ECX)
	p.partner(other)
	p.JMP(LabelRef("exact"))

	p.Label("more")
	p.NEGL(reg.ECX)
	p.partner(other)
	p.VPBROADCASTD(p.ownHigh(other).As32(), product)
	p.VPMULLD(p.powers(0), product, product)
	p.VPSRLD(U8(28), product, word)
	p.VPERMD(block, word, word)
	p.rotate(word, product)
	p.VPTESTNMD_BCST(one, word, missing)
	p.KMOVW(missing, missed)
	p.SHLL(reg.CL, missed)
	p.JEQ(LabelRef("exact"))
	p.no()

	p.Comment("Both blocks.")
	p.Label("exact")
	lower, higher := p.ordered(other)
	indexed, spread := p.setConstants()
	sets := newSets512(p.Function, indexed, spread)
	products, word0, word1 := p.ZMM(), p.ZMM(), p.ZMM()
	p.high(products)
	p.VPMULLD(p.powers(0), products, products)
	set0, set1 := sets.sets(products)
	p.VPSRLD(U8(28), set0, word0)
	p.VPSRLD(U8(28), set1, word1)
	p.VPERMD(lower, word0, word0)
	p.VPERMD(higher, word1, word1)
	p.rotate(word0, set0)
	p.rotate(word1, set1)
	p.VPANDD(word0, word1, word1)
	p.VPTESTNMD_BCST(one, word1, missing)
	p.KMOVW(missing, missed)
	p.noneOf(missed)
	p.VZEROUPPER()
	p.RET()
	p.otherwise("pairedContainsAVX2", from)
}

// bothSets returns the address of the first eight powers, and of what brings the
// positions of the other set of probes to the top of the products.
func (p *pairedSingle) bothSets() Mem {
	var words [8]uint64
	powers := powersOfPhi()
	for i, power := range powers[:8] {
		words[i/2] |= uint64(power) << (i % 2 * 32)
		words[4+i/2] |= uint64(power<<9) << (i % 2 * 32)
	}
	return p.Words("bothSets", words[:]...)
}

func pairedSingle256(f *kernel.File, from source) {
	p := newPairedSingle(f, kernel.AVX2, "pairedContainsAVX2", from, "where pairedContains continues without AVX-512.")
	other := p.GP64()
	p.partner(other)
	probes := newProbes256(p.Function, 0, nil)
	high, low := p.YMM(), p.YMM()
	p.Comment("The own block, but for its pair index.")
	p.VMOVD(p.numbers, low.AsX())
	p.VPOR(p.block(), low, low)
	p.VMOVD(p.ownHigh(other).As32(), high.AsX())
	p.VPBROADCASTD(high.AsX(), high)
	p.NEGL(reg.ECX)
	missed := p.missed256(probes, "Own", func(powers Mem) reg.VecVirtual {
		return probes.signs(probes.product(high, powers), low, p.block().Offset(32))
	})
	p.SHLL(reg.CL, missed)
	p.JEQ(LabelRef("exact"))
	p.MOVB(U8(0), p.answer)
	p.VZEROUPPER()
	p.RET()

	p.Comment("Both blocks.")
	p.Label("exact")
	lower, higher := p.ordered(other)
	indexed, spread := p.setConstants()
	sets := newSets256(p.Function, indexed, spread)
	p.high(high)
	missed = p.missed256(probes, "Both", func(powers Mem) reg.VecVirtual {
		set0, set1 := sets.sets(probes.product(high, powers))
		all := probes.both(nil, probes.signs(set0, lower, lower.Offset(32)))
		return probes.both(all, probes.signs(set1, higher, higher.Offset(32)))
	})
	p.noneOf(missed)
	p.VZEROUPPER()
	p.RET()
	p.otherwise("pairedContainsOther", from)
}

// missed256 returns the bits of probes that miss, of one round or of two.
func (p *pairedSingle) missed256(probes *probes256, label string, round func(powers Mem) reg.VecVirtual) reg.GPVirtual {
	found := probes.bits(round(p.powers(0)))
	p.CMPL(reg.ECX, I8(-8))
	p.JGE(LabelRef("found" + label))
	upper := probes.bits(round(p.powers(8)))
	p.SHLL(U8(8), upper)
	p.ORL(upper, found)
	p.Label("found" + label)
	p.NOTL(found)
	return found
}
