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
	fn                *kernel.Function
	hash, body, level Mem // level: an argument of those for bytes
	size              Op
	field             func(name string) Mem // of a prepared filter, else nil
}

// contains is the signature of the kernels that look one key up in a prepared filter.
const contains = "func(k *Kernel, hash uint64) bool"

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
	return newSingle(fn, fieldOf(fn, prepared))
}

// newSingle begins a function on a filter that is prepared, or on a filter's bytes.
func newSingle(fn *kernel.Function, field func(name string) Mem) *single {
	s := &single{fn: fn, field: field}
	if field != nil {
		s.body, s.size = field("body"), field("body").Offset(8)
	} else {
		s.body, s.size, s.level = s.argument("body"), s.argument("size"), s.argument("level")
	}
	s.hash = hashOf(fn)
	return s
}

// hashOf returns where the hash is. Vet wants an argument to be read in one piece, but the halves are
// needed.
func hashOf(fn *kernel.Function) Mem {
	hash := fn.GP64()
	fn.LEAQ(fn.Address(fn.Param("hash")), hash)
	return Mem{Base: hash}
}

// answer returns where the answer is returned.
func (s *single) answer() Mem { return s.fn.Address(s.fn.ReturnIndex(0)) }

func (s *single) argument(name string) Mem { return s.fn.Address(s.fn.Param(name)) }

// begin leaves the number of probes in CX. A function on bytes tests the level first.
func (s *single) begin(level uint8) {
	if s.field != nil {
		s.fn.MOVQ(s.field("probes"), reg.RCX)
		return
	}
	s.fn.CMPQ(s.level, U8(level))
	s.fn.JNE(LabelRef("other"))
	s.fn.MOVQ(s.argument("probes"), reg.RCX)
}

// offset finds the hash's block in the body.
func (s *single) offset() reg.GPVirtual {
	at := s.fn.GP64()
	s.fn.MOVL(s.hash, at.As32())
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
func (s *single) high(v Op) { s.fn.VPBROADCASTD(s.hash.Offset(4), v) }

// rotate brings the bits at the positions in the top bits of the products, each in
// its word, into bit 0 of the words.
func (s *single) rotate(words, products Op) {
	s.fn.VPSRLD(U8(23), products, products)
	s.fn.VPRORVD(products, words, words)
}

// ofBytes is the signature of the functions that read a trailer themselves. They are not ok if the bytes
// are no filter as builders write it.
const ofBytes = "func(data *byte, size, level int, hash uint64) (contains, ok bool)"

// testLevel jumps to the label "other" unless the argument is the level.
func testLevel(fn *kernel.Function, level kernel.Level) {
	number := map[kernel.Level]uint8{kernel.AVX2: levelAVX2, kernel.AVX512: levelAVX512}[level]
	fn.CMPQ(fn.Address(fn.Param("level")), U8(number))
	fn.JNE(LabelRef("other"))
}

// trailed returns the address of the bytes, how many there are before a trailer of a given size, and
// where that begins.
func trailed(fn *kernel.Function, trailer int) (data, size reg.GPVirtual, at Mem) {
	data, size = fn.GP64(), fn.GP64()
	fn.Load(fn.Param("data"), data)
	fn.Load(fn.Param("size"), size)
	fn.SUBQ(U8(uint8(trailer)), size)
	return data, size, Mem{Base: data, Index: size, Scale: 1}
}

// isOK returns that the bytes are a filter.
func isOK(fn *kernel.Function) { fn.MOVB(U8(1), fn.Address(fn.ReturnIndex(1))) }

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

// otherwise continues a function on bytes in another one.
func (s *single) otherwise(name string) {
	if s.field == nil {
		s.fn.Label("other")
		s.fn.TailCall(name)
	}
}

const maxProbes = 30

const fastLocalBytes = "func(body *byte, size, probes, level int, hash uint64) bool"

// fastLocalSingle512 emits the kernels that evaluate up to 8 probes in 256 bits and more in 512: a
// block is sixteen doublewords, the table of VPERMI2D for the one and of VPERMD for the other.
//
// They use only registers from 16 on, which legacy SSE instructions cannot access, so they
// need no VZEROUPPER. That saves 0.2 ns of 2.9 (Emerald Rapids; nothing on Zen 4).
func fastLocalSingle512(f *kernel.File) {
	s := newEntry(f, kernel.AVX512, "fastLocalContainsEightAVX512")
	missing := s.eight512(s.block(), s.field("eight"))
	s.fn.KORTESTB(missing, missing) // probe 0 again, where there are fewer
	s.fn.SETEQ(s.answer())
	s.fn.RET()

	s = newEntry(f, kernel.AVX512, "fastLocalContainsAVX512")
	s.begin(levelAVX512)
	s.more512(s.block())
}

// fastLocalBytes512 emits one kernel of both for a filter's bytes.
func fastLocalBytes512(f *kernel.File) {
	const name = "fastLocalContainsBytes"
	s := newSingle(f.Function(kernel.AVX512, name, fastLocalBytes, name+" is Contains of a filter, at the given level."), nil)
	s.begin(levelAVX512)
	block := s.block()
	s.fn.CMPL(reg.ECX, U8(8))
	s.fn.JA(LabelRef("more"))
	bits := s.fn.GP32()
	missing := s.eight512(block, s.powers(0))
	s.fn.NEGL(reg.ECX)
	s.fn.KMOVB(missing, bits)
	s.noneOf(bits)
	s.fn.RET()
	s.fn.Label("more")
	s.more512(block)
	s.otherwise("fastLocalContainsAVX2Bytes")
}

// eight512 returns which of eight probes miss.
func (s *single) eight512(block, powers Mem) reg.OpmaskVirtual {
	product, word, low, missing := reg.Y16, reg.Y17, reg.Y18, s.fn.K()
	s.high(product)
	s.fn.VPMULLD(powers, product, product)
	s.fn.VPSRLD(U8(28), product, word)
	s.fn.VMOVDQU32(block, low)
	s.fn.VPERMI2D(block.Offset(32), low, word)
	s.rotate(word, product)
	s.fn.VPTESTNMD_BCST(s.one(), word, missing)
	return missing
}

// more512 looks up 16 probes, or 32, and returns. CX has their number.
func (s *single) more512(block Mem) {
	high, missing := reg.Z16, s.fn.K()
	round := func(from int) reg.GPVirtual {
		product, word, bits := reg.Z17, reg.Z18, s.fn.GP32()
		s.fn.VPMULLD(s.powers(from), high, product)
		s.fn.VPSRLD(U8(28), product, word)
		s.fn.VPERMD(block, word, word)
		s.rotate(word, product)
		s.fn.VPTESTNMD_BCST(s.one(), word, missing)
		s.fn.KMOVW(missing, bits)
		return bits
	}
	s.high(high)
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
	newEntry(f, kernel.AVX2, "fastLocalContainsAVX2").fastLocal256()
}

// fastLocalBytes256 emits it for a filter's bytes.
func fastLocalBytes256(f *kernel.File) {
	const name = "fastLocalContainsAVX2Bytes"
	s := newSingle(f.Function(kernel.AVX2, name, fastLocalBytes, name+" is where fastLocalContainsBytes continues without AVX-512."), nil)
	s.fastLocal256()
	s.otherwise("fastLocalContainsOther")
}

// fastLocal256 looks the key up, eight probes after eight, and returns.
func (s *single) fastLocal256() {
	s.begin(levelAVX2)
	s.fn.NEGL(reg.ECX)
	block := s.block()
	high := s.fn.YMM()
	s.high(high)
	p := newProbes256(s.fn, 0, nil)
	var all reg.GPVirtual
	for round := range 4 {
		bits := p.bits(p.signs(p.product(high, s.powers(8*round)), block, block.Offset(32)))
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
