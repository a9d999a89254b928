package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// The forms of asm.FastLocal, as it numbers them, say what kernel it takes.
// Choosing in Go, by level and number of probes, would be a second call, as dear
// as the kernel.
const (
	generic     = iota
	form256                   // and the next three: eight probes more each
	form512     = form256 + 4 // up to 8, up to 16 and more probes
	form512by16 = form512 + 1
)

// A single is what the kernels for one key share.
type single struct {
	*kernel.Function
	structure    string
	filter       reg.Register
	hash, answer Mem
}

func newSingle(f *kernel.File, structure string, level kernel.Level, name string, doc ...string) *single {
	fn := f.Function(level, name, "func(f *"+structure+", hash uint64) bool", doc...)
	s := &single{
		Function:  fn,
		structure: structure,
		filter:    fn.Load(fn.Param("f"), fn.GP64()),
		answer:    fn.Address(fn.ReturnIndex(0)),
	}
	// Vet would have an argument read in one piece, but the halves are wanted.
	hash := fn.GP64()
	fn.LEAQ(fn.Address(fn.Param("hash")), hash)
	s.hash = Mem{Base: hash}
	return s
}

func (s *single) field(name string) Mem { return s.Field(s.filter, s.structure, name) }

// block finds the hash's block in the body that the field has. The flags are of
// its address.
func (s *single) block(body string) Mem {
	at := s.offset(body)
	s.ADDQ(s.field(body), at)
	return Mem{Base: at}
}

func (s *single) offset(body string) reg.GPVirtual {
	at := s.GP64()
	s.MOVL(s.hash, at.As32())
	s.IMULQ(s.field(body).Offset(8), at)
	s.SHRQ(U8(32), at)
	s.ANDQ(I8(-64), at)
	return at
}

// high fills the vector with the high half of the hash.
func (s *single) high(v reg.VecVirtual) reg.VecVirtual {
	s.VPBROADCASTD(s.hash.Offset(4), v)
	return v
}

// rotated brings the bits at the positions in the top bits of the products, each in
// its word, into bit 0. It overwrites both.
func (s *single) rotated(words, products reg.VecVirtual) reg.VecVirtual {
	s.VPSRLD(U8(23), products, products)
	s.VPRORVD(products, words, words)
	return words
}

// multipliers returns a pointer to all of them.
func (s *single) multipliers() reg.GPVirtual {
	row := s.GP64()
	s.MOVQ(s.field("multipliers"), row)
	return row
}

// is compares the filter's form.
func (s *single) is(form int) { s.CMPQ(s.field("form"), U8(uint8(form))) }

// no returns that the key is absent.
func (s *single) no() {
	s.MOVB(U8(0), s.answer)
	s.VZEROUPPER()
	s.RET()
}

// equal returns whether the last comparison found its operands equal.
func (s *single) equal() {
	s.SETEQ(s.answer)
	s.VZEROUPPER()
	s.RET()
}

// fastLocalSingle512 takes up to 8 probes in 256 bits and more in 512: a block is
// sixteen doublewords, which is the table of VPERMI2D of the one and of VPERMD of
// the other. Every instruction of the first counts, since a call costs as much as
// all of them: it has its own body, nil if the form is another, and multipliers
// without a pointer.
func fastLocalSingle512(f *kernel.File) {
	s := newSingle(f, "FastLocal", kernel.AVX512, "fastLocalContains",
		"fastLocalContains is FastLocalContains, at the level that f was made for.")
	one := f.Words("one", 1|1<<32)
	block := s.block("near")
	s.JZ(LabelRef("other"))
	product, word, low, missing := s.YMM(), s.YMM(), s.YMM(), s.K()
	s.VPMULLD(s.field("eight"), s.high(product), product)
	s.VPSRLD(U8(28), product, word)
	s.VMOVDQU(block, low)
	s.VPERMI2D(block.Offset(32), low, word)
	s.VPTESTNMD_BCST(one, s.rotated(word, product), missing)
	s.KORTESTB(missing, missing)
	s.equal()

	s.Label("other")
	s.is(form512)
	s.JAE(LabelRef("more"))
	s.TailCall("fastLocalContainsAVX2")
	s.Label("more")
	block = s.block("body")
	row := s.multipliers()
	high := s.high(s.ZMM())
	round := func(i int) reg.VecVirtual {
		product, word := s.ZMM(), s.ZMM()
		s.VPMULLD(Mem{Base: row, Disp: 64 * i}, high, product)
		s.VPSRLD(U8(28), product, word)
		s.VPERMD(block, word, word)
		return s.rotated(word, product)
	}
	answer := func(found reg.VecVirtual) {
		s.VPTESTNMD_BCST(one, found, missing)
		s.KORTESTW(missing, missing)
		s.equal()
	}
	first := round(0)
	s.is(form512by16)
	s.JNE(LabelRef("most"))
	answer(first)
	s.Label("most")
	s.VPANDD(round(1), first, first)
	answer(first)
}

func fastLocalSingle256(f *kernel.File) {
	s := newSingle(f, "FastLocal", kernel.AVX2, "fastLocalContainsAVX2",
		"fastLocalContainsAVX2 is where fastLocalContains goes on with less than AVX-512.")
	s.is(generic)
	s.JNE(LabelRef("vectors"))
	s.TailCall("fastLocalContainsGeneric")
	s.Label("vectors")
	block := s.block("body")
	row := s.multipliers()
	high := s.high(s.YMM())
	const most = 4
	for rounds := 1; rounds <= most; rounds++ {
		more := fmt.Sprint("moreThan", 8*rounds)
		if rounds < most {
			s.is(form256 + rounds - 1)
			s.JNE(LabelRef(more))
		}
		p := newProbes256(s.Function, rounds, row)
		s.CMPL(p.probe(high, block), U32(0xff))
		s.equal()
		if rounds < most {
			s.Label(more)
		}
	}
}
