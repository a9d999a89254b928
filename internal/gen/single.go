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

// form512 is asm.FastLocal's form for up to 8 probes.
const form512 = 2

// A single has what the kernels for one key share. There are two of each: one for a
// prepared filter, and one for bytes that a database passes with every key. Preparing a
// structure for one lookup would cost more than the lookup: loads of the structure wait for
// its stores, and keep the processor from starting the next lookup.
type single struct {
	fn                              *kernel.Function
	hash, answer                    Mem
	body, size, batchBlocks, probes Mem
	level                           Mem
	field                           func(name string) Mem // of a prepared filter, else nil
}

// source is where a kernel gets a filter from.
type source struct {
	suffix    string // of the kernel's name
	signature string
	prepared  string // the struct that is, "" if none is
	paired    bool
}

var (
	preparedFastLocal = source{"", "func(f *FastLocal, hash uint64) bool", "FastLocal", false}
	preparedPaired    = source{"", "func(f *Paired, hash uint64) bool", "Paired", true}
	fastLocalBytes    = source{"Bytes", "func(body *byte, size, probes, level int, hash uint64) bool", "", false}
	pairedBytes       = source{"Bytes", "func(body *byte, size, batchBlocks, probes, level int, hash uint64) bool", "", true}
)

// newSingle begins a function of a level. Lower levels continue in another function.
func newSingle(f *kernel.File, level kernel.Level, name string, from source, doc string) *single {
	fn := f.Function(level, name+from.suffix, from.signature, name+from.suffix+" is "+doc)
	s := &single{fn: fn}
	if from != addedFastLocal {
		s.answer = fn.Address(fn.ReturnIndex(0))
	}
	place := func(name string) Mem { return fn.Address(fn.Param(name)) }
	if from.prepared != "" {
		filter := fn.Load(fn.Param("f"), fn.GP64())
		place = func(name string) Mem { return fn.Field(filter, from.prepared, name) }
		s.field = place
		s.size = place("body").Offset(8)
	} else {
		s.size = place("size")
	}
	s.body, s.probes = place("body"), place("probes")
	if from.paired {
		s.batchBlocks = place("batchBlocks")
	}
	s.level = place("level")
	// Vet wants an argument to be read in one piece, but the halves are needed.
	hash := fn.GP64()
	fn.LEAQ(fn.Address(fn.Param("hash")), hash)
	s.hash = Mem{Base: hash}
	return s
}

// begin checks the level, and leaves the number of probes in CX.
func (s *single) begin(level uint8) {
	s.fn.CMPQ(s.level, U8(level))
	s.fn.JNE(LabelRef("other"))
	s.fn.MOVQ(s.probes, reg.RCX)
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
	s.fn.SETEQ(s.answer)
}

// otherwise continues in another function.
func (s *single) otherwise(name string, from source) {
	s.fn.Label("other")
	s.fn.TailCall(name + from.suffix)
}

const maxProbes = 30

// fastLocalSingle512 evaluates up to 8 probes in 256 bits and more in 512: a block is
// sixteen doublewords, the table of VPERMI2D for the one and of VPERMD for the other.
//
// It uses only registers from 16 on, which legacy SSE instructions cannot access, so it
// needs no VZEROUPPER. That saves 0.2 ns of 2.9 (Emerald Rapids; nothing on Zen 4).
func fastLocalSingle512(f *kernel.File, from source) {
	s := newSingle(f, kernel.AVX512, "fastLocalContains", from, "Contains of a filter, at the level that is named.")
	one := f.Words("one", 1|1<<32)
	var block Mem
	if s.field != nil { // one comparison says all
		s.fn.CMPQ(s.field("form"), U8(form512))
		s.fn.JNE(LabelRef("more"))
		block = s.block()
	} else {
		s.begin(levelAVX512)
		block = s.block()
		s.fn.CMPL(reg.ECX, U8(8))
		s.fn.JA(LabelRef("more"))
	}
	product, word, low, missing := reg.Y16, reg.Y17, reg.Y18, s.fn.K()
	bits := s.fn.GP32()
	powers := s.powers(0)
	if s.field != nil {
		powers = s.field("eight")
	}
	s.high(product)
	s.fn.VPMULLD(powers, product, product)
	s.fn.VPSRLD(U8(28), product, word)
	s.fn.VMOVDQU32(block, low)
	s.fn.VPERMI2D(block.Offset(32), low, word)
	s.rotate(word, product)
	s.fn.VPTESTNMD_BCST(one, word, missing)
	if s.field != nil { // probe 0 again, where there are fewer
		s.fn.KORTESTB(missing, missing)
		s.fn.SETEQ(s.answer)
	} else {
		s.fn.NEGL(reg.ECX)
		s.fn.KMOVB(missing, bits)
		s.noneOf(bits)
	}
	s.fn.RET()

	s.fn.Label("more")
	if s.field != nil {
		s.begin(levelAVX512)
		block = s.block()
	}
	high := reg.Z16
	round := func(from int) reg.GPVirtual {
		product, word, bits := reg.Z17, reg.Z18, s.fn.GP32()
		s.fn.VPMULLD(s.powers(from), high, product)
		s.fn.VPSRLD(U8(28), product, word)
		s.fn.VPERMD(block, word, word)
		s.rotate(word, product)
		s.fn.VPTESTNMD_BCST(one, word, missing)
		s.fn.KMOVW(missing, bits)
		return bits
	}
	s.high(high)
	s.fn.NEGL(reg.ECX)
	bits = round(0)
	s.fn.CMPL(reg.ECX, I8(-16))
	s.fn.JGE(LabelRef("found"))
	upper := round(16)
	s.fn.SHLL(U8(16), upper)
	s.fn.ORL(upper, bits)
	s.fn.Label("found")
	s.noneOf(bits)
	s.fn.RET()
	s.otherwise("fastLocalContainsAVX2", from)
}

func fastLocalSingle256(f *kernel.File, from source) {
	s := newSingle(f, kernel.AVX2, "fastLocalContainsAVX2", from, "where fastLocalContains"+from.suffix+" continues without AVX-512.")
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
	s.otherwise("fastLocalContainsOther", from)
}
