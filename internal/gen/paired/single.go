package paired

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/blocks"
	"github.com/simdbloom/simdbloom/internal/gen/hash"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A single looks a key up in its own block first, where positions in the block's pair
// index count as found: absent keys seldom need the other line. Loading both lines at once
// would cost every absent key a second cache miss. Then both blocks are tested exactly. In
// bodies up to pairedNear that is all: the first test's branch would be unpredictable. Bytes are
// of a database, whose many filters are not near: absent keys of 512 filters of 184 KiB would
// take 1.6 of the time (Emerald Rapids).
type single struct {
	*blocks.Single
	shape     func(name string) Mem // of prepared filters
	numbers   Op                    // the bits of a block's index that number it in its batch
	own, body reg.GPVirtual         // an offset, and its base
	of32      func()                // of bytes: emits what goes on with batches of 32 blocks
}

// newEntry begins the kernel for prepared filters. CX has the number of probes of a block.
func newEntry(f *kernel.File, level kernel.Level, name string) *single {
	s := blocks.NewEntry(f, level, name)
	s.Fn.MOVQ(s.Field("probes"), reg.RCX)
	s.Fn.SHRL(U8(1), reg.ECX)
	p := &single{Single: s, own: s.Offset(), body: s.Fn.GP64(), shape: shapeOf(s.Fn, s.Field("own"))}
	p.numbers = p.shape("numbers")
	s.Fn.MOVQ(s.Body, p.body)
	return p
}

// shapeOf loads the address of a filter's shape, and returns where its fields are.
func shapeOf(fn *kernel.Function, own Mem) func(name string) Mem {
	shape := fn.GP64()
	fn.MOVQ(own, shape)
	return func(name string) Mem { return fn.Field(shape, "pairedShape", name) }
}

// newBytes begins the kernel for bytes. The trailer is 1, the number of probes, 0 or 7 for
// batches of 32 or 128 blocks, and 0.
func newBytes(f *kernel.File, level kernel.Level, name, doc string) *single {
	fn := f.Function(level, name, shared.OfAnyBytes, name+" is "+doc)
	shared.UnlessLevel(fn, level)
	data, size, at := shared.Trailed(fn, 4)
	batches, numbers := fn.GP64(), fn.GP64()
	fn.RORXQ(U8(11), size, batches) // a number of 32 blocks: large for other bytes
	fn.DECQ(batches)
	fn.CMPQ(batches, U32(blocks.MaxBlocks/32-1))
	fn.JHI(LabelRef("other"))
	// One comparison checks each kind of trailer.
	trailer := func(which uint32, otherwise string) {
		fn.MOVL(at, reg.ECX)
		fn.SUBL(U32(1|2<<8|which<<16), reg.ECX)
		fn.RORL(U8(8), reg.ECX)
		fn.CMPL(reg.ECX, U8(blocks.MaxProbes-2))
		fn.JHI(LabelRef(otherwise))
	}
	trailer(7, "of32")
	fn.TESTL(U32(3<<11), size.As32())
	fn.JNE(LabelRef("other"))
	fn.MOVL(U32(127), numbers.As32())
	fn.Label("batches")
	fn.SHRL(U8(1), reg.ECX)
	fn.INCL(reg.ECX)
	s := &blocks.Single{Fn: fn, Hash: blocks.HashOf(fn), Size: size}
	return &single{Single: s, own: s.Offset(), body: data, numbers: numbers.As32(), of32: func() {
		fn.Label("of32")
		trailer(0, "other")
		fn.MOVL(U32(31), numbers.As32())
		fn.JMP(LabelRef("batches"))
	}}
}

func (p *single) isOfBytes() bool { return p.of32 != nil }

// block returns the own block.
func (p *single) block() Mem { return Mem{Base: p.body, Index: p.own, Scale: 1} }

// partner finds the offset of the block that the own one is paired with.
func (p *single) partner(other reg.GPVirtual) {
	offsets := p.Fn.GP64()
	p.Fn.MOVBLZX(p.block(), other.As32())
	p.Fn.MOVL(p.numbers, offsets.As32())
	p.Fn.SHLL(U8(6), offsets.As32())
	p.Fn.SHLL(U8(6), other.As32())
	p.Fn.XORL(p.own.As32(), other.As32())
	p.Fn.ANDL(offsets.As32(), other.As32())
	p.Fn.XORL(p.own.As32(), other.As32())
}

// ownHigh returns the high half of the hash as the own block's probes take it.
func (p *single) ownHigh(other reg.GPVirtual) reg.GPVirtual {
	high, shifted := p.Fn.GP64(), p.Fn.GP64()
	p.Hash.High(high)
	p.Fn.MOVL(high.As32(), shifted.As32())
	p.Fn.SHLL(U8(9), shifted.As32())
	p.Fn.CMPL(p.own.As32(), other.As32())
	p.Fn.CMOVLCC(shifted.As32(), high.As32()) // not the lower block
	return high
}

// ordered returns both blocks.
func (p *single) ordered(other reg.GPVirtual) (lower, higher Mem) {
	least := p.Fn.GP64()
	p.Fn.MOVQ(p.own, least)
	p.Fn.CMPQ(other, p.own)
	p.Fn.CMOVQCS(other, least)
	p.Fn.CMOVQCS(p.own, other)
	return Mem{Base: p.body, Index: least, Scale: 1}, Mem{Base: p.body, Index: other, Scale: 1}
}

// setConstants returns the constants that remap the sets of probes.
func (p *single) setConstants() (indexed, spread Op) {
	if p.shape != nil {
		return p.shape("indexed"), p.shape("spread")
	}
	bits, others := p.Fn.GP32(), p.Fn.GP32()
	p.Fn.POPCNTL(p.numbers, bits)
	p.Fn.MOVL(U32(8*shared.LineBytes), others)
	p.Fn.SUBL(bits, others)
	p.Fn.SHLL(U8(32-9), bits)
	return bits, others
}

// no returns that the key is absent.
func (p *single) no() {
	p.Fn.MOVB(U8(0), p.Answer())
	p.Fn.RET()
}

// paired512 looks the key up in AVX-512, and returns.
func (p *single) paired512() {
	one := p.One()
	missing := p.Fn.K()
	other, missed := p.Fn.GP64(), p.Fn.GP32()
	if p.isOfBytes() {
		p.Fn.JMP(LabelRef("own"))
	} else {
		p.whereNear()
		p.Fn.JCS(LabelRef("own"))
		p.partner(other)
		p.Fn.CMPL(reg.ECX, U8(8))
		p.Fn.JBE(LabelRef("atOnce"))
		p.Fn.NEGL(reg.ECX)
	}
	p.Fn.Comment("Both blocks.")
	p.Fn.Label("exact")
	lower, higher := p.ordered(other)
	indexed, spread := p.setConstants()
	sets := newSets512(p.Fn, indexed, spread)
	products, word0, word1 := p.Fn.ZMM(), p.Fn.ZMM(), p.Fn.ZMM()
	p.High(products)
	p.Fn.VPMULLD(p.Powers(0), products, products)
	set0, set1 := sets.sets(products)
	p.Fn.VPSRLD(U8(28), set0, word0)
	p.Fn.VPSRLD(U8(28), set1, word1)
	p.Fn.VPERMD(lower, word0, word0)
	p.Fn.VPERMD(higher, word1, word1)
	p.Rotate(word0, set0)
	p.Rotate(word1, set1)
	p.Fn.VPANDD(word0, word1, word1)
	p.Fn.VPTESTNMD_BCST(one, word1, missing)
	p.Fn.KMOVW(missing, missed)
	p.NoneOf(missed)
	p.Fn.VZEROUPPER()
	p.Fn.RET()

	product, word, indexBits, block := reg.Z16, reg.Z17, reg.Z18, reg.Z19
	p.Fn.Comment("The own block, but for its pair index.")
	p.Fn.Label("own")
	p.Fn.VMOVD(p.numbers, reg.X18)
	p.Fn.VPORD(p.block(), indexBits, block)
	p.Fn.CMPL(reg.ECX, U8(8))
	p.Fn.JA(LabelRef("more"))

	// Both sets of probes of the own block in one vector: which is the key's matters only
	// once all of one are found. (In a large filter, absent keys cost the less the more
	// calls wait for memory at once.)
	borrowed, tested := p.Fn.GP32(), p.tested()
	p.High(product)
	p.Fn.VPMULLD(p.bothSets(), product, product)
	p.Fn.VPSRLD(U8(28), product, word)
	p.Fn.VPERMD(block, word, word)
	p.Rotate(word, product)
	p.Fn.VPTESTNMD_BCST(one, word, missing)
	p.Fn.KMOVW(missing, missed)
	p.Fn.ANDL(tested, missed)
	// Whether a byte is zero: one jump, since which byte is unpredictable.
	p.Fn.LEAL(Mem{Base: missed, Disp: -0x0101}, borrowed)
	p.Fn.NOTL(missed)
	p.Fn.ANDL(borrowed, missed)
	p.Fn.TESTL(U32(0x8080), missed)
	p.Fn.JNE(LabelRef("passed"))
	p.no()
	p.Fn.Label("passed")
	p.Fn.NEGL(reg.ECX)
	p.partner(other)
	p.Fn.JMP(LabelRef("exact"))

	p.Fn.Label("more")
	p.Fn.NEGL(reg.ECX)
	p.partner(other)
	p.Fn.VPBROADCASTD(p.ownHigh(other).As32(), product)
	p.Fn.VPMULLD(p.Powers(0), product, product)
	p.Fn.VPSRLD(U8(28), product, word)
	p.Fn.VPERMD(block, word, word)
	p.Rotate(word, product)
	p.Fn.VPTESTNMD_BCST(one, word, missing)
	p.Fn.KMOVW(missing, missed)
	p.Fn.SHLL(reg.CL, missed)
	p.Fn.JEQ(LabelRef("exact"))
	p.no()

	if !p.isOfBytes() {
		p.Fn.Comment("Both blocks, of up to eight probes each.")
		p.Fn.Label("atOnce")
		p.atOnce512(other)
	}
}

// tested returns a bit for each probe of a block, up to eight, twice.
func (p *single) tested() (bits reg.GPVirtual) {
	bits = p.Fn.GP32()
	if p.shape != nil {
		p.Fn.MOVL(p.shape("tested"), bits)
	} else {
		p.Fn.MOVL(U32(1), bits)
		p.Fn.SHLL(reg.CL, bits)
		p.Fn.DECL(bits)
		p.Fn.IMUL3L(U32(0x0101), bits, bits)
	}
	return bits
}

// atOnce512 tests both blocks in one vector, whose lower half has the lower block's probes, and returns. It remaps the
// products as sets512 does.
func (p *single) atOnce512(other reg.GPVirtual) {
	fn := p.Fn
	lower, higher := p.ordered(other)
	products, rest, word, indexed, spread := reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20
	upper, some, missed := fn.K(), fn.K(), fn.GP32()
	ofIndexed, ofSpread := p.setConstants()
	fn.VPBROADCASTD(ofIndexed, indexed)
	fn.VPBROADCASTD(ofSpread, spread)
	fn.KMOVW(fn.Words("upperEight", 0xff00), upper)
	const nine = 9<<32 | 9
	p.High(products)
	fn.VPMULLD(p.powersTwice(), products, products)
	fn.VPSLLVD(fn.Words("nineOfLower", nine, nine, nine, nine, 0, 0, 0, 0), products, rest)
	fn.VPSLLVD(fn.Words("nineOfHigher", 0, 0, 0, 0, nine, nine, nine, nine), products, products)
	fn.VPSRLD(U8(9), rest, rest)
	fn.VPMULLD(spread, rest, rest)
	const less = 1
	fn.VPCMPUD(U8(less), indexed, products, some)
	fn.VPADDD(indexed, rest, some, products)
	fn.VPSRLD(U8(28), products, rest)
	fn.VPERMD(lower, rest, word)
	fn.VPERMD(higher, rest, upper, word)
	p.Rotate(word, products)
	fn.VPTESTNMD_BCST(p.One(), word, some)
	fn.KMOVW(some, missed)
	fn.TESTL(p.tested(), missed)
	fn.SETEQ(p.Answer())
	fn.RET()
}

// powersTwice returns the address of the first eight powers, twice.
func (p *single) powersTwice() Mem {
	var words [8]uint64
	powers := blocks.PowersOfPhi()
	for i, power := range powers[:8] {
		words[i/2] |= uint64(power) << (i % 2 * 32)
	}
	copy(words[4:], words[:4])
	return p.Fn.Words("powersTwice", words[:]...)
}

// whereNear compares the size of the body with the largest whose blocks are near.
func (p *single) whereNear() {
	most := p.Fn.GP64()
	p.Fn.MOVQ(p.Fn.Variable("pairedNear"), most)
	p.Fn.CMPQ(most, p.Size)
}

// bothSets returns the address of the first eight powers, and of what brings the
// positions of the other set of probes to the top of the products.
func (p *single) bothSets() Mem {
	var words [8]uint64
	powers := blocks.PowersOfPhi()
	for i, power := range powers[:8] {
		words[i/2] |= uint64(power) << (i % 2 * 32)
		words[4+i/2] |= uint64(power<<9) << (i % 2 * 32)
	}
	return p.Fn.Words("bothSets", words[:]...)
}

// paired256 looks the key up in AVX2, and returns.
func (p *single) paired256() {
	other := p.Fn.GP64()
	p.partner(other)
	probes := blocks.NewProbes256(p.Fn, 0, nil)
	high, low := p.Fn.YMM(), p.Fn.YMM()
	p.Fn.NEGL(reg.ECX)
	if !p.isOfBytes() {
		p.whereNear()
		p.Fn.JCC(LabelRef("exact"))
	}
	p.Fn.Comment("The own block, but for its pair index.")
	p.Fn.VMOVD(p.numbers, low.AsX())
	p.Fn.VPOR(p.block(), low, low)
	p.Fn.VMOVD(p.ownHigh(other).As32(), high.AsX())
	p.Fn.VPBROADCASTD(high.AsX(), high)
	missed := p.missed256(probes, "Own", func(powers Mem) reg.VecVirtual {
		return probes.Signs(probes.Product(high, powers), low, p.block().Offset(32))
	})
	p.Fn.SHLL(reg.CL, missed)
	p.Fn.JEQ(LabelRef("exact"))
	p.Fn.MOVB(U8(0), p.Answer())
	p.Fn.VZEROUPPER()
	p.Fn.RET()

	p.Fn.Comment("Both blocks.")
	p.Fn.Label("exact")
	lower, higher := p.ordered(other)
	indexed, spread := p.setConstants()
	sets := newSets256(p.Fn, indexed, spread)
	p.High(high)
	missed = p.missed256(probes, "Both", func(powers Mem) reg.VecVirtual {
		set0, set1 := sets.sets(probes.Product(high, powers))
		all := probes.Both(nil, probes.Signs(set0, lower, lower.Offset(32)))
		return probes.Both(all, probes.Signs(set1, higher, higher.Offset(32)))
	})
	p.NoneOf(missed)
	p.Fn.VZEROUPPER()
	p.Fn.RET()
}

// missed256 returns the bits of probes that miss, of one round or of two.
func (p *single) missed256(probes *blocks.Probes256, label string, round func(powers Mem) reg.VecVirtual) reg.GPVirtual {
	found := probes.Bits(round(p.Powers(0)))
	p.Fn.CMPL(reg.ECX, I8(-8))
	p.Fn.JGE(LabelRef("found" + label))
	upper := probes.Bits(round(p.Powers(8)))
	p.Fn.SHLL(U8(8), upper)
	p.Fn.ORL(upper, found)
	p.Fn.Label("found" + label)
	p.Fn.NOTL(found)
	return found
}

// keyInBytes emits a function that hashes a key and continues in pairedMayContain, which takes the hash in memory.
func keyInBytes(f *kernel.File, name, doc string, h hash.ShortHash) {
	fn := f.Function(kernel.Base, name, shared.KeyOfAnyBytes, name+" is "+doc)
	hash.Short(fn, h, func() {
		fn.MOVQ(shared.HashedKey, fn.Address(fn.Param("key")))
		fn.TailCall("pairedMayContain")
	})
}
