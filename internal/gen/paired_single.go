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
	of32      func()        // of bytes: emits what goes on with batches of 32 blocks
}

// newPairedEntry begins the kernel for prepared filters. CX has the number of probes of a block.
func newPairedEntry(f *kernel.File, level kernel.Level, name string) *pairedSingle {
	s := newEntry(f, level, name)
	s.fn.MOVQ(s.field("blockProbes"), reg.RCX)
	p := &pairedSingle{single: s, own: s.offset(), body: s.fn.GP64(), numbers: s.field("numbers")}
	s.fn.MOVQ(s.body, p.body)
	return p
}

// newPairedBytes begins the kernel for bytes. The trailer is 1, the number of probes, 0 or 7 for
// batches of 32 or 128 blocks, and 0.
func newPairedBytes(f *kernel.File, level kernel.Level, name, doc string) *pairedSingle {
	fn := f.Function(level, name, ofAnyBytes, name+" is "+doc)
	unlessLevel(fn, level)
	data, size, at := trailed(fn, 4)
	batches, numbers := fn.GP64(), fn.GP64()
	fn.RORXQ(U8(11), size, batches) // a number of 32 blocks: large for other bytes
	fn.DECQ(batches)
	fn.CMPQ(batches, U32(maxBlocks/32-1))
	fn.JHI(LabelRef("other"))
	// One comparison checks each kind of trailer.
	trailer := func(which uint32, otherwise string) {
		fn.MOVL(at, reg.ECX)
		fn.SUBL(U32(1|2<<8|which<<16), reg.ECX)
		fn.RORL(U8(8), reg.ECX)
		fn.CMPL(reg.ECX, U8(maxProbes-2))
		fn.JHI(LabelRef(otherwise))
	}
	trailer(7, "of32")
	fn.TESTL(U32(3<<11), size.As32())
	fn.JNE(LabelRef("other"))
	fn.MOVL(U32(127), numbers.As32())
	fn.Label("batches")
	fn.SHRL(U8(1), reg.ECX)
	fn.INCL(reg.ECX)
	s := &single{fn: fn, hash: hashOf(fn), size: size}
	return &pairedSingle{single: s, own: s.offset(), body: data, numbers: numbers.As32(), of32: func() {
		fn.Label("of32")
		trailer(0, "other")
		fn.MOVL(U32(31), numbers.As32())
		fn.JMP(LabelRef("batches"))
	}}
}

// block returns the own block.
func (p *pairedSingle) block() Mem { return Mem{Base: p.body, Index: p.own, Scale: 1} }

// partner finds the offset of the block that the own one is paired with.
func (p *pairedSingle) partner(other reg.GPVirtual) {
	offsets := p.fn.GP64()
	p.fn.MOVBLZX(p.block(), other.As32())
	p.fn.MOVL(p.numbers, offsets.As32())
	p.fn.SHLL(U8(6), offsets.As32())
	p.fn.SHLL(U8(6), other.As32())
	p.fn.XORL(p.own.As32(), other.As32())
	p.fn.ANDL(offsets.As32(), other.As32())
	p.fn.XORL(p.own.As32(), other.As32())
}

// ownHigh returns the high half of the hash as the own block's probes take it.
func (p *pairedSingle) ownHigh(other reg.GPVirtual) reg.GPVirtual {
	high, shifted := p.fn.GP64(), p.fn.GP64()
	p.hash.high(high)
	p.fn.MOVL(high.As32(), shifted.As32())
	p.fn.SHLL(U8(9), shifted.As32())
	p.fn.CMPL(p.own.As32(), other.As32())
	p.fn.CMOVLCC(shifted.As32(), high.As32()) // not the lower block
	return high
}

// ordered returns both blocks.
func (p *pairedSingle) ordered(other reg.GPVirtual) (lower, higher Mem) {
	least := p.fn.GP64()
	p.fn.MOVQ(p.own, least)
	p.fn.CMPQ(other, p.own)
	p.fn.CMOVQCS(other, least)
	p.fn.CMOVQCS(p.own, other)
	return Mem{Base: p.body, Index: least, Scale: 1}, Mem{Base: p.body, Index: other, Scale: 1}
}

// setConstants returns what the sets of probes are remapped by.
func (p *pairedSingle) setConstants() (indexed, spread Op) {
	if p.field != nil {
		return p.field("indexed"), p.field("spread")
	}
	bits, others := p.fn.GP32(), p.fn.GP32()
	p.fn.POPCNTL(p.numbers, bits)
	p.fn.MOVL(U32(8*lineBytes), others)
	p.fn.SUBL(bits, others)
	p.fn.SHLL(U8(32-9), bits)
	return bits, others
}

// no returns that the key is absent.
func (p *pairedSingle) no() {
	p.fn.MOVB(U8(0), p.answer())
	p.fn.RET()
}

// paired512 looks the key up in AVX-512, and returns.
func (p *pairedSingle) paired512() {
	one := p.one()
	missing := p.fn.K()
	product, word, indexBits, block := reg.Z16, reg.Z17, reg.Z18, reg.Z19
	p.fn.Comment("The own block, but for its pair index.")
	p.fn.VMOVD(p.numbers, reg.X18)
	p.fn.VPORD(p.block(), indexBits, block)
	p.fn.CMPL(reg.ECX, U8(8))
	p.fn.JA(LabelRef("more"))

	// Both sets of probes of the own block in one vector: which is the key's matters only
	// once all of one are found. (In a large filter, absent keys cost the less the more
	// calls wait for memory at once.)
	other, missed, borrowed, tested := p.fn.GP64(), p.fn.GP32(), p.fn.GP32(), p.fn.GP32()
	if p.field != nil {
		p.fn.MOVL(p.field("tested"), tested)
	} else {
		p.fn.MOVL(U32(1), tested)
		p.fn.SHLL(reg.CL, tested)
		p.fn.DECL(tested)
		p.fn.IMUL3L(U32(0x0101), tested, tested)
	}
	p.high(product)
	p.fn.VPMULLD(p.bothSets(), product, product)
	p.fn.VPSRLD(U8(28), product, word)
	p.fn.VPERMD(block, word, word)
	p.rotate(word, product)
	p.fn.VPTESTNMD_BCST(one, word, missing)
	p.fn.KMOVW(missing, missed)
	p.fn.ANDL(tested, missed)
	// Whether a byte is zero: one jump, since which byte is unpredictable.
	p.fn.LEAL(Mem{Base: missed, Disp: -0x0101}, borrowed)
	p.fn.NOTL(missed)
	p.fn.ANDL(borrowed, missed)
	p.fn.TESTL(U32(0x8080), missed)
	p.fn.JNE(LabelRef("passed"))
	p.no()
	p.fn.Label("passed")
	p.fn.NEGL(reg.ECX)
	p.partner(other)
	p.fn.JMP(LabelRef("exact"))

	p.fn.Label("more")
	p.fn.NEGL(reg.ECX)
	p.partner(other)
	p.fn.VPBROADCASTD(p.ownHigh(other).As32(), product)
	p.fn.VPMULLD(p.powers(0), product, product)
	p.fn.VPSRLD(U8(28), product, word)
	p.fn.VPERMD(block, word, word)
	p.rotate(word, product)
	p.fn.VPTESTNMD_BCST(one, word, missing)
	p.fn.KMOVW(missing, missed)
	p.fn.SHLL(reg.CL, missed)
	p.fn.JEQ(LabelRef("exact"))
	p.no()

	p.fn.Comment("Both blocks.")
	p.fn.Label("exact")
	lower, higher := p.ordered(other)
	indexed, spread := p.setConstants()
	sets := newSets512(p.fn, indexed, spread)
	products, word0, word1 := p.fn.ZMM(), p.fn.ZMM(), p.fn.ZMM()
	p.high(products)
	p.fn.VPMULLD(p.powers(0), products, products)
	set0, set1 := sets.sets(products)
	p.fn.VPSRLD(U8(28), set0, word0)
	p.fn.VPSRLD(U8(28), set1, word1)
	p.fn.VPERMD(lower, word0, word0)
	p.fn.VPERMD(higher, word1, word1)
	p.rotate(word0, set0)
	p.rotate(word1, set1)
	p.fn.VPANDD(word0, word1, word1)
	p.fn.VPTESTNMD_BCST(one, word1, missing)
	p.fn.KMOVW(missing, missed)
	p.noneOf(missed)
	p.fn.VZEROUPPER()
	p.fn.RET()
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
	return p.fn.Words("bothSets", words[:]...)
}

// paired256 looks the key up in AVX2, and returns.
func (p *pairedSingle) paired256() {
	other := p.fn.GP64()
	p.partner(other)
	probes := newProbes256(p.fn, 0, nil)
	high, low := p.fn.YMM(), p.fn.YMM()
	p.fn.Comment("The own block, but for its pair index.")
	p.fn.VMOVD(p.numbers, low.AsX())
	p.fn.VPOR(p.block(), low, low)
	p.fn.VMOVD(p.ownHigh(other).As32(), high.AsX())
	p.fn.VPBROADCASTD(high.AsX(), high)
	p.fn.NEGL(reg.ECX)
	missed := p.missed256(probes, "Own", func(powers Mem) reg.VecVirtual {
		return probes.signs(probes.product(high, powers), low, p.block().Offset(32))
	})
	p.fn.SHLL(reg.CL, missed)
	p.fn.JEQ(LabelRef("exact"))
	p.fn.MOVB(U8(0), p.answer())
	p.fn.VZEROUPPER()
	p.fn.RET()

	p.fn.Comment("Both blocks.")
	p.fn.Label("exact")
	lower, higher := p.ordered(other)
	indexed, spread := p.setConstants()
	sets := newSets256(p.fn, indexed, spread)
	p.high(high)
	missed = p.missed256(probes, "Both", func(powers Mem) reg.VecVirtual {
		set0, set1 := sets.sets(probes.product(high, powers))
		all := probes.both(nil, probes.signs(set0, lower, lower.Offset(32)))
		return probes.both(all, probes.signs(set1, higher, higher.Offset(32)))
	})
	p.noneOf(missed)
	p.fn.VZEROUPPER()
	p.fn.RET()
}

// missed256 returns the bits of probes that miss, of one round or of two.
func (p *pairedSingle) missed256(probes *probes256, label string, round func(powers Mem) reg.VecVirtual) reg.GPVirtual {
	found := probes.bits(round(p.powers(0)))
	p.fn.CMPL(reg.ECX, I8(-8))
	p.fn.JGE(LabelRef("found" + label))
	upper := probes.bits(round(p.powers(8)))
	p.fn.SHLL(U8(8), upper)
	p.fn.ORL(upper, found)
	p.fn.Label("found" + label)
	p.fn.NOTL(found)
	return found
}
