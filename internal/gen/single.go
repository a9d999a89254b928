package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// The levels of package cpu, as it numbers them.
const (
	levelAVX2   = 1
	levelAVX512 = 2
)

// A single has what the kernels for one key share. There are two of each: one for a
// prepared filter, and one for bytes that a database passes with every key. Preparing a
// structure for one lookup would cost more than the lookup: loads of the structure wait for
// its stores, and keep the processor from starting the next lookup.
type single struct {
	fn    *kernel.Function
	hash  hashed
	body  Mem
	size  Op
	field func(name string) Mem // of a prepared filter, else nil
}

// contains is the signature of the kernels that look one key up in a prepared filter. The first result is
// unused: where it is, keyed has the length of the key, so that functions of both kinds answer at the same place.
const (
	contains = "func(k *Kernel, hash uint64) (_ uint64, found bool)"
	keyed    = "func(k *Kernel, key *byte, n int) (found bool)"
)

// prepared is the filter in the kernels for one key: the function that jumps to them has loaded it.
// They test no level, because the filter has the address of the one that fits.
var prepared = reg.RAX

// fieldOf returns where the fields of a filter are.
func fieldOf(fn *kernel.Function, filter reg.Register) func(name string) Mem {
	return func(name string) Mem { return fn.Field(filter, "Kernel", name) }
}

// newEntry begins the kernel of a level for prepared filters.
func newEntry(f *kernel.File, level kernel.Level, name string) *single {
	fn := f.Entry(level, name, contains)
	s := newSingle(fn, fieldOf(fn, prepared))
	if level == kernel.AVX512 {
		s.hash = hashed{fn: fn, inRegister: true}
	} else {
		s.hash = hashOf(fn)
	}
	return s
}

// newSingle begins a function on a prepared filter, whose hash the caller sets.
func newSingle(fn *kernel.Function, field func(name string) Mem) *single {
	return &single{fn: fn, field: field, body: field("body"), size: field("body").Offset(8)}
}

// A hashed is a key's hash. The kernels of AVX-512 for prepared filters take it in a register, where the
// function that jumps to them leaves it. The others take its halves from the stack: AVX2 fills no vector from a
// register.
type hashed struct {
	fn         *kernel.Function
	inRegister bool
	word       Mem // otherwise
}

// hashedKey is the register.
var hashedKey = reg.RDX

// low loads the low half.
func (h hashed) low(to reg.GPVirtual) {
	if h.inRegister {
		h.fn.MOVL(hashedKey.As32(), to.As32())
	} else {
		h.fn.MOVL(h.word, to.As32())
	}
}

// high loads the high half.
func (h hashed) high(to reg.GPVirtual) {
	if h.inRegister {
		h.fn.MOVQ(hashedKey, to)
		h.fn.SHRQ(U8(32), to)
	} else {
		h.fn.MOVL(h.word.Offset(4), to.As32())
	}
}

// lows fills the vector with the low half.
func (h hashed) lows(v Op) {
	if h.inRegister {
		h.fn.VPBROADCASTD(hashedKey.As32(), v)
	} else {
		h.fn.VPBROADCASTD(h.word, v)
	}
}

// highs fills the vector with the high half.
func (h hashed) highs(v Op) {
	if h.inRegister {
		high := h.fn.GP64()
		h.high(high)
		h.fn.VPBROADCASTD(high.As32(), v)
	} else {
		h.fn.VPBROADCASTD(h.word.Offset(4), v)
	}
}

// loadHash finds the hash among the arguments, unless it is in the register.
func (s *single) loadHash() {
	if !s.hash.inRegister {
		s.hash = hashOf(s.fn)
	}
}

// hashOf returns where the hash is. Vet wants an argument to be read in one piece, but the halves are
// needed.
func hashOf(fn *kernel.Function) hashed {
	hash := fn.GP64()
	fn.LEAQ(fn.Address(fn.Param("hash")), hash)
	return hashed{fn: fn, word: Mem{Base: hash}}
}

// answer returns where the answer is returned.
func (s *single) answer() Mem { return s.fn.Answer() }

// offset finds the hash's block in the body.
func (s *single) offset() reg.GPVirtual {
	at := s.fn.GP64()
	s.hash.low(at)
	s.fn.IMULQ(s.size, at)
	s.fn.SHRQ(U8(32), at)
	s.fn.ANDQ(I8(-64), at)
	return at
}

// block returns the address of the block.
func (s *single) block() Mem {
	at := s.offset()
	s.fn.ADDQ(s.body, at)
	return Mem{Base: at}
}

// high fills the vector with the high half of the hash.
func (s *single) high(v Op) { s.hash.highs(v) }

// rotate brings the bits at the positions in the top bits of the products, each in
// its word, into bit 0 of the words.
func (s *single) rotate(words, products Op) {
	s.fn.VPSRLD(U8(23), products, products)
	s.fn.VPRORVD(products, words, words)
}

// ofAnyBytes is the signature of the functions that read a trailer themselves, and answer for all bytes.
// The first result is unused: where it is, keyOfAnyBytes has the length of the key.
const (
	ofAnyBytes    = "func(data *byte, size int, hash uint64) (_ uint64, found bool)"
	keyOfAnyBytes = "func(data *byte, size int, key *byte, n int) (found bool)"
)

// unlessLevel jumps to the label "other" unless package cpu has the level. An argument for it would be two
// instructions more.
func unlessLevel(fn *kernel.Function, level kernel.Level) {
	compareLevel(fn, level)
	fn.JNE(LabelRef("other"))
}

// unlessFrom does so unless it has the level or a higher one.
func unlessFrom(fn *kernel.Function, level kernel.Level) {
	compareLevel(fn, level)
	fn.JCS(LabelRef("other"))
}

func compareLevel(fn *kernel.Function, level kernel.Level) {
	current := NewDataAddr(Symbol{Name: "github·com∕simdbloom∕simdbloom∕cpu·current"}, 0)
	fn.CMPB(current, U8(numberOf[level]))
}

// numberOf has package cpu's numbers of the levels.
var numberOf = map[kernel.Level]uint8{kernel.AVX2: levelAVX2, kernel.AVX512: levelAVX512}

// trailed returns the address of the bytes, how many there are before a trailer of a given size, and
// where that begins.
func trailed(fn *kernel.Function, trailer int) (data, size reg.GPVirtual, at Mem) {
	data, size = fn.GP64(), fn.GP64()
	fn.Load(fn.Param("data"), data)
	fn.Load(fn.Param("size"), size)
	fn.SUBQ(U8(uint8(trailer)), size)
	return data, size, Mem{Base: data, Index: size, Scale: 1}
}

// powersOfPhi are what the high half of a hash is multiplied by, in whole vectors.
func powersOfPhi() (powers [32]uint32) {
	const phi = 0x9e3779b9
	power := uint32(1)
	for i := range powers {
		powers[i] = power
		power *= phi
	}
	return powers
}

// powers returns the address of the powers of phi from one on.
func (s *single) powers(from int) Mem {
	var words [16]uint64
	for i, power := range powersOfPhi() {
		words[i/2] |= uint64(power) << (i % 2 * 32)
	}
	return s.fn.Words("powers", words[:]...).Offset(4 * from)
}

// noneOf returns whether none of the lowest bits is set. CX has their number, negated:
// a shift by it leaves no others.
func (s *single) noneOf(bits reg.GPVirtual) {
	s.fn.SHLL(reg.CL, bits)
	s.fn.SETEQ(s.answer())
}

// otherwise continues a function on bytes in another one, which takes a hash in memory.
func (s *single) otherwise(name string) {
	s.fn.Label("other")
	if s.hash.inRegister {
		s.fn.MOVQ(hashedKey, s.fn.Address(s.fn.Param("key")))
	}
	s.fn.TailCall(name)
}

const maxProbes = 30

// fastLocalSingle512 emits the kernels that evaluate up to 8 probes in 256 bits and more in 512: a
// block is sixteen doublewords, the table of VPERMI2D for the one and of VPERMD for the other.
//
// They use only registers from 16 on, which legacy SSE instructions cannot access, so they
// need no VZEROUPPER. That saves 0.2 ns of 2.9 (Emerald Rapids; nothing on Zen 4).
func fastLocalSingle512(f *kernel.File) {
	s := newEntry(f, kernel.AVX512, "fastLocalContainsEightAVX512")
	s.high(reg.Y16)
	s.eightOf512(s.block(), s.field("eight"), nil) // probe 0 again, where there are fewer

	s = newEntry(f, kernel.AVX512, "fastLocalContainsAVX512")
	s.fn.MOVQ(s.field("probes"), reg.RCX)
	s.fastLocalMore512(s.block())
}

// fastLocalMore512 is more512 of powers.
func (s *single) fastLocalMore512(block Mem) {
	s.high(reg.Z16)
	s.more512(block, s.powers, nil)
}

// eightOf512 looks up eight probes, and returns. It takes what eight512 does.
func (s *single) eightOf512(block, multipliers Mem, first Op) {
	missing := s.eight512(block, multipliers, first)
	s.fn.KORTESTB(missing, missing)
	s.fn.SETEQ(s.answer())
	s.fn.RET()
}

// eight512 returns which of eight probes miss. Y16 is multiplied, and first, unless it is nil, is added.
func (s *single) eight512(block, multipliers Mem, first Op) reg.OpmaskVirtual {
	product, word, low, missing := reg.Y16, reg.Y17, reg.Y18, s.fn.K()
	s.fn.VPMULLD(multipliers, product, product)
	if first != nil {
		s.fn.VPADDD(first, product, product)
	}
	s.fn.VPSRLD(U8(28), product, word)
	s.fn.VMOVDQU32(block, low)
	s.fn.VPERMI2D(block.Offset(32), low, word)
	s.rotate(word, product)
	s.fn.VPTESTNMD_BCST(s.one(), word, missing)
	return missing
}

// more512 looks up 16 probes, or 32, and returns. CX has their number. Z16 is multiplied, and first, unless it
// is nil, is added.
func (s *single) more512(block Mem, multipliers func(from int) Mem, first Op) {
	missing := s.fn.K()
	round := func(from int) reg.GPVirtual {
		product, word, bits := reg.Z17, reg.Z18, s.fn.GP32()
		s.fn.VPMULLD(multipliers(from), reg.Z16, product)
		if first != nil {
			s.fn.VPADDD(first, product, product)
		}
		s.fn.VPSRLD(U8(28), product, word)
		s.fn.VPERMD(block, word, word)
		s.rotate(word, product)
		s.fn.VPTESTNMD_BCST(s.one(), word, missing)
		s.fn.KMOVW(missing, bits)
		return bits
	}
	s.fn.NEGL(reg.ECX)
	bits := round(0)
	s.fn.CMPL(reg.ECX, I8(-16))
	s.fn.JGE(LabelRef("found"))
	upper := round(16)
	s.fn.SHLL(U8(16), upper)
	s.fn.ORL(upper, bits)
	s.fn.Label("found")
	s.noneOf(bits)
	s.fn.RET()
}

// one returns the address of two doublewords of 1.
func (s *single) one() Mem { return s.fn.Words("one", 1|1<<32) }

// fastLocalSingle256 emits the kernel for a prepared filter.
func fastLocalSingle256(f *kernel.File) {
	s := newEntry(f, kernel.AVX2, "fastLocalContainsAVX2")
	s.fn.MOVQ(s.field("probes"), reg.RCX)
	s.probes256(powers, s.block(), s.powers)
}

// probes256 looks the key up, eight probes after eight, and returns. CX has the number of probes.
func (s *single) probes256(by progression, block Mem, multipliers func(from int) Mem) {
	s.fn.NEGL(reg.ECX)
	p := newProbes256(s.fn, 0, nil)
	factor, first := by.begin(s.fn, by.key256(s.fn, s.hash.word))
	var all reg.GPVirtual
	for round := range 4 {
		product := by.add(s.fn, first, p.product(factor, multipliers(8*round)))
		bits := p.bits(p.signs(product, block, block.Offset(32)))
		if round == 0 {
			all = bits
		} else {
			s.fn.SHLL(U8(uint8(8*round)), bits)
			s.fn.ORL(bits, all)
		}
		if most := 8 * (round + 1); most < maxProbes {
			s.fn.CMPL(reg.ECX, I8(int8(-most)))
			s.fn.JGE(LabelRef("found"))
		}
	}
	s.fn.Label("found")
	s.fn.NOTL(all)
	s.noneOf(all)
	s.fn.VZEROUPPER()
	s.fn.RET()
}
