package blocks

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// PowersOfPhi are the multipliers of a hash's high half, one for each probe, in whole vectors.
func PowersOfPhi() (powers [32]uint32) {
	const phi = 0x9e3779b9
	power := uint32(1)
	for i := range powers {
		powers[i] = power
		power *= phi
	}
	return powers
}

// Powers returns the address of the powers of phi from one on.
func (s *Single) Powers(from int) Mem {
	var words [16]uint64
	for i, power := range PowersOfPhi() {
		words[i/2] |= uint64(power) << (i % 2 * 32)
	}
	return s.Fn.Words("powers", words[:]...).Offset(4 * from)
}

// fastLocalSingle512 emits the kernels that evaluate up to 8 probes in quadwords, 16 in doublewords, and more in two
// rounds. A block is the table of VPERMQ or VPERMD.
//
// They use only registers from 16 on, which legacy SSE instructions cannot access, so they
// need no VZEROUPPER. That saves 0.2 ns of 2.9 (Emerald Rapids; nothing on Zen 4).
func fastLocalSingle512(f *kernel.File) {
	s := NewEntry(f, kernel.AVX512, "fastLocalContainsEightAVX512")
	s.Hash = inBoth(s.Fn)
	s.High(reg.Z16)
	s.eightOf512(s.blockAt(), s.Field("eight")) // probe 0 again, where there are fewer

	s = NewEntry(f, kernel.AVX512, "fastLocalContainsAVX512")
	s.Fn.MOVQ(s.Field("probes"), reg.RCX)
	s.fastLocalMore512(s.block())
}

// fastLocalMore512 is more512 of powers.
func (s *Single) fastLocalMore512(block Mem) {
	s.High(reg.Z16)
	s.more512(block, s.Powers, nil)
}

// eightOf512 looks up eight probes, and returns. It takes what eight512 does, with multipliers in memory.
//
// It rotates the bits into the signs, to test them without a constant from memory. Far lookups wait for room for loads
// on Intel: one less saves 5 % at 1 and 32 MiB, though it costs an instruction (Emerald Rapids).
func (s *Single) eightOf512(block, multipliers Mem) {
	found := s.Fn.K()
	product, word := s.words512(block, s.multipliers512(multipliers, reg.Z18))
	s.Fn.VPTERNLOGQ(U8(0x55), product, product, product) // not: the top bits become 63 less the bit's number in the word
	s.Fn.VPSRLQ(U8(23), product, product)
	s.Fn.VPROLVQ(product, word, word)
	s.Fn.VPMOVQ2M(word, found)
	s.Fn.KORTESTB(found, found) // carries if all are set
	s.Fn.SETCS(s.Answer())
	s.Fn.RET()
}

// multipliers512 loads eight multipliers.
func (s *Single) multipliers512(from Mem, to reg.VecPhysical) reg.VecPhysical {
	s.Fn.VPMOVZXDQ(from, to)
	return to
}

// eight512 returns which of eight probes miss. Z16 is multiplied.
func (s *Single) eight512(block Mem, multipliers Op) reg.OpmaskVirtual {
	missing := s.Fn.K()
	product, word := s.words512(block, multipliers)
	s.Fn.VPSRLQ(U8(23), product, product)
	s.Fn.VPRORVQ(product, word, word)
	s.Fn.VPTESTNMQ_BCST(s.Fn.Words("lowest", 1), word, missing)
	return missing
}

// words512 returns the products of eight probes, and the words of the block that these look at. Products and words are
// quadwords: VPMULUDQ takes half as long as VPMULLD. What a product has above its low half does not count, because
// instructions take only the low bits of a word's number, and of a distance to rotate by.
func (s *Single) words512(block Mem, multipliers Op) (product, word reg.VecPhysical) {
	product, word = reg.Z16, reg.Z17
	s.Fn.VPMULUDQ(multipliers, product, product)
	s.Fn.VPSRLQ(U8(29), product, word)
	s.Fn.VPERMQ(block, word, word)
	return product, word
}

// more512 looks up 16 probes, or 32, and returns. CX has their number. Z16 is multiplied, and first, unless it
// is nil, is added.
func (s *Single) more512(block Mem, multipliers func(from int) Mem, first Op) {
	missing := s.Fn.K()
	round := func(from int) reg.GPVirtual {
		product, word, bits := reg.Z17, reg.Z18, s.Fn.GP32()
		s.Fn.VPMULLD(multipliers(from), reg.Z16, product)
		if first != nil {
			s.Fn.VPADDD(first, product, product)
		}
		s.Fn.VPSRLD(U8(28), product, word)
		s.Fn.VPERMD(block, word, word)
		s.Rotate(word, product)
		s.Fn.VPTESTNMD_BCST(s.One(), word, missing)
		s.Fn.KMOVW(missing, bits)
		return bits
	}
	s.Fn.NEGL(reg.ECX)
	bits := round(0)
	s.Fn.CMPL(reg.ECX, I8(-16))
	s.Fn.JGE(LabelRef("found"))
	upper := round(16)
	s.Fn.SHLL(U8(16), upper)
	s.Fn.ORL(upper, bits)
	s.Fn.Label("found")
	s.NoneOf(bits)
	s.Fn.RET()
}

// fastLocalSingle256 emits the kernels for a prepared filter.
func fastLocalSingle256(f *kernel.File) {
	NewEntry(f, kernel.AVX2, "fastLocalContainsEightAVX2").eightOf256(Powers)

	s := NewEntry(f, kernel.AVX2, "fastLocalContainsAVX2")
	s.Fn.MOVQ(s.Field("probes"), reg.RCX)
	s.probes256(Powers, s.block(), s.Powers)
}

// eightOf256 looks up eight probes in a prepared filter, and returns.
func (s *Single) eightOf256(by Progression) {
	p := &Probes256{fn: s.Fn, thirtyOne: s.Fn.Words("thirtyOnes", slices.Repeat([]uint64{31 | 31<<32}, 4)...)}
	block := s.block()
	factor, first := by.begin(s.Fn, by.Key256(s.Fn, s.Hash.word))
	product := by.add(s.Fn, first, p.Product(factor, s.Field("eight")))
	found := p.Bits(p.Signs(product, block, block.Offset(32)))
	s.Fn.INCB(found.As8()) // of eight ones, to 0
	s.Fn.SETEQ(s.Answer())
	s.Fn.VZEROUPPER()
	s.Fn.RET()
}

// probes256 looks the key up, eight probes after eight, and returns. CX has the number of probes.
func (s *Single) probes256(by Progression, block Mem, multipliers func(from int) Mem) {
	s.Fn.NEGL(reg.ECX)
	s.probesOf256(by, by.Key256(s.Fn, s.Hash.word), block, multipliers)
}

// probesOf256 is probes256 of what begin takes of a hash. CX has the number of probes, negated.
func (s *Single) probesOf256(by Progression, key reg.VecVirtual, block Mem, multipliers func(from int) Mem) {
	p := NewProbes256(s.Fn, 0, nil)
	factor, first := by.begin(s.Fn, key)
	var all reg.GPVirtual
	for round := range 4 {
		product := by.add(s.Fn, first, p.Product(factor, multipliers(8*round)))
		bits := p.Bits(p.Signs(product, block, block.Offset(32)))
		if round == 0 {
			all = bits
		} else {
			s.Fn.SHLL(U8(uint8(8*round)), bits)
			s.Fn.ORL(bits, all)
		}
		if most := 8 * (round + 1); most < MaxProbes {
			s.Fn.CMPL(reg.ECX, I8(int8(-most)))
			s.Fn.JGE(LabelRef("found"))
		}
	}
	s.Fn.Label("found")
	s.Fn.NOTL(all)
	s.NoneOf(all)
	s.Fn.VZEROUPPER()
	s.Fn.RET()
}
