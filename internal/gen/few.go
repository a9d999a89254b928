package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// fastLocalFew512 emits the kernels for a few keys and up to 8 probes, which
// check their arguments themselves: with so few keys, a call between the caller's
// and this one would cost as much as several of them.
func fastLocalFew512(f *kernel.File) {
	few512(f, "fastLocalContainsFewBits", "containsBits", "[]uint64", func(fw *few, label string) {
		word, answers := fw.fn.GP64(), fw.fn.GP64()
		fw.fn.XORL(word.As32(), word.As32())
		fw.loop(label, func() {
			fw.fn.MOVQ(fw.reduce(), answers)
			fw.fn.SHLQ(reg.CL, answers) // by the first key's number
			fw.fn.ORQ(answers, word)
		})
		fw.fn.MOVQ(word, Mem{Base: fw.hits})
	}, func(fw *few, s *single, label string) {
		word, answer := fw.fn.GP64(), fw.fn.GP64()
		fw.fn.XORL(word.As32(), word.As32())
		fw.eachKey(s, label, func() {
			fw.fn.SETEQ(answer.As8())
			fw.fn.MOVBLZX(answer.As8(), answer.As32())
			fw.fn.SHLQ(reg.CL, answer)
			fw.fn.ORQ(answer, word)
		})
		fw.fn.MOVQ(word, Mem{Base: fw.hits})
	})
	few512(f, "fastLocalContainsFewBools", "containsBools", "[]bool", func(fw *few, label string) {
		fw.loop(label, func() {
			fw.fn.MOVQ(fw.oneByOne(), Mem{Base: fw.hits, Index: reg.RCX, Scale: 1})
		})
	}, func(fw *few, s *single, label string) {
		fw.eachKey(s, label, func() { fw.fn.SETEQ(Mem{Base: fw.hits, Index: reg.RCX, Scale: 1}) })
	})
}

// A few is a kernel for few keys, from 1 to a number that the filter sets, at most 64. It
// is at the key whose number is in CX. Less than an octet are looked up one by one.
type few struct {
	*octet512
	b    *batch
	hits reg.Register
}

func few512(f *kernel.File, name, otherwise, hits string, emit func(fw *few, label string), emitLess func(fw *few, s *single, label string)) {
	fn := f.Function(kernel.AVX512, name, "func(k *Kernel, hashes []uint64, hits "+hits+")",
		name+" is "+otherwise+" of few keys, in FastLocal's commonest form.",
		"It goes on to "+otherwise+"OneByOne with the fewest keys of other filters, and to "+otherwise+" with all else,",
		"also with too few hits.")
	field := fieldOf(fn, fn.Load(fn.Param("k"), fn.GP64()))
	n, body, size := fn.Load(fn.Param("hashes").Len(), fn.GP64()), fn.GP64(), fn.GP64()
	beyond := fn.GP64()
	fn.LEAQ(Mem{Base: n, Disp: -1}, beyond)
	most := fn.GP64()
	fn.MOVL(field("oneByOne"), most.As32())
	fn.CMPQ(beyond, most)
	fn.JB(LabelRef("less"))
	fn.SUBQ(U8(octet-1), beyond)
	fn.CMPQ(beyond, field("fewSizes"))
	fn.JAE(LabelRef("otherwise"))
	fn.Label("few")
	hasRoom := func() {
		if room := fn.Address(fn.Param("hits").Len()); hits == "[]bool" {
			fn.CMPQ(n, room)
			fn.JA(LabelRef("otherwise"))
		} else {
			fn.CMPQ(room, U8(0)) // a word will do
			fn.JE(LabelRef("otherwise"))
		}
	}
	hasRoom()
	fn.MOVQ(field("body"), body)
	fn.MOVQ(field("body").Offset(8), size)

	fw := &few{
		hits: fn.Load(fn.Param("hits").Base(), fn.GP64()),
		b:    &batch{fn: fn, body: body, size: size, hashes: fn.Load(fn.Param("hashes").Base(), fn.GP64()), n: n},
	}
	fn.CMPQ(n, U8(octet))
	fn.JB(LabelRef("oneByOne"))
	multipliers := fn.GP64()
	fn.LEAQ(field("eight"), multipliers)
	commonest := layouts[0]
	fn.CMPQ(field("probes"), U8(uint8(commonest.probes())))
	fn.JA(LabelRef("more"))
	for i, l := range layouts[:2] {
		if i > 0 {
			fn.Label("more")
		}
		p := newProbes512(fn, l, multipliers)
		fw.octet512 = &octet512{p, p.spread()}
		emit(fw, fmt.Sprint("upTo", l.probes()))
		fn.VZEROUPPER()
		fn.RET()
	}
	fn.Label("oneByOne")
	emitLess(fw, &single{fn: fn, field: field, hash: hashed{fn: fn, word: Mem{Base: fw.b.hashes, Index: reg.RCX, Scale: hashBytes}}, size: size}, "key")
	fn.RET()

	fn.Label("less")
	fn.CMPQ(field("fewSizes"), U8(0))
	fn.JNE(LabelRef("few"))
	hasRoom()
	if hits != "[]bool" {
		first := fn.Load(fn.Param("hits").Base(), fn.GP64())
		fn.MOVQ(U32(0), Mem{Base: first})
	}
	fn.TailCall(otherwise + "OneByOne")
	fn.Label("otherwise")
	fn.TailCall(otherwise)
}

// eachKey emits the loop over keys one by one. The zero flag is set for those that are found.
func (fw *few) eachKey(s *single, label string, each func()) {
	fw.fn.XORL(reg.ECX, reg.ECX)
	fw.fn.Label(label)
	s.high(reg.Y16)
	missing := s.eight512(Mem{Base: fw.b.body, Index: s.offset(), Scale: 1}, s.field("eight"), nil)
	fw.fn.KORTESTB(missing, missing)
	each()
	fw.fn.INCQ(reg.RCX)
	fw.fn.CMPQ(reg.RCX, fw.b.n)
	fw.fn.JB(LabelRef(label))
}

// loop emits the loop over octets of keys, whose probes' bits are in K0. The last octet
// takes in keys before it if there are not enough.
func (fw *few) loop(label string, each func()) {
	last := fw.fn.GP64()
	fw.fn.LEAQ(Mem{Base: fw.b.n, Disp: -octet}, last)
	fw.fn.XORL(reg.ECX, reg.ECX)
	fw.fn.Label(label)
	hashes := Mem{Base: fw.b.hashes, Index: reg.RCX, Scale: hashBytes}
	fw.found(0, hashes, fw.b.block)
	each()
	fw.fn.ADDQ(U8(octet), reg.RCX)
	fw.fn.CMPQ(reg.RCX, last)
	fw.fn.JBE(LabelRef(label))
	fw.fn.CMPQ(reg.RCX, fw.b.n)
	fw.fn.MOVQ(last, reg.RCX)
	fw.fn.JB(LabelRef(label))
}
