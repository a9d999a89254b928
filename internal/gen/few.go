package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

const fewest, most = octet, wordKeys

// fastLocalFew512 emits the kernels for a few keys and up to 8 probes, which
// check their arguments themselves: with so few keys, a call between the caller's
// and this one would cost as much as several of them.
func fastLocalFew512(f *kernel.File) {
	few512(f, "fastLocalContainsFewBits", "containsBits", "[]uint64", func(fw *few) {
		word, answers := fw.GP64(), fw.GP64()
		fw.XORL(word.As32(), word.As32())
		fw.loop(func() {
			fw.MOVQ(fw.reduce(), answers)
			fw.SHLQ(reg.CL, answers) // by the first key's number
			fw.ORQ(answers, word)
		})
		fw.MOVQ(word, Mem{Base: fw.hits})
	})
	few512(f, "fastLocalContainsFewBools", "containsBools", "[]bool", func(fw *few) {
		fw.loop(func() {
			fw.MOVQ(fw.bools(), Mem{Base: fw.hits, Index: fw.at, Scale: 1})
		})
	})
}

// A few is a kernel for fewest to most keys. They begin with the key whose number
// is in CX.
type few struct {
	*octet512
	b        *batch
	hits, at reg.Register
}

func few512(f *kernel.File, name, otherwise, hits string, emit func(*few)) {
	fn := f.Function(kernel.AVX512, name, "func(f *FastLocal, hits "+hits+", hashes []uint64)",
		name+" is "+otherwise+", which it goes on to with more keys or less, another form or too few hits.")
	filter := fn.Load(fn.Param("f"), fn.GP64())
	n := fn.Load(fn.Param("hashes").Len(), fn.GP64())
	body := fn.GP64()
	fn.MOVQ(fn.Field(filter, "FastLocal", "near"), body)
	rest := fn.GP64()
	fn.LEAQ(Mem{Base: n, Disp: -fewest}, rest)
	fn.CMPQ(rest, U8(most-fewest))
	fn.JA(LabelRef("otherwise"))
	fn.TESTQ(body, body)
	fn.JZ(LabelRef("otherwise"))
	if hits == "[]bool" {
		fn.CMPQ(fn.Address(fn.Param("hits").Len()), n)
	} else {
		fn.CMPQ(fn.Address(fn.Param("hits").Len()), U8(0))
	}
	if hits == "[]bool" {
		fn.JB(LabelRef("otherwise"))
	} else {
		fn.JE(LabelRef("otherwise"))
	}
	_ = rest
	fw := &few{
		hits: fn.Load(fn.Param("hits").Base(), fn.GP64()),
		at:   reg.RCX,
		b:    &batch{Function: fn, body: body, size: fn.GP64(), hashes: fn.Load(fn.Param("hashes").Base(), fn.GP64()), n: n},
	}
	fn.MOVQ(fn.Field(filter, "FastLocal", "near").Offset(8), fw.b.size)
	eight := fn.GP64()
	fn.LEAQ(fn.Field(filter, "FastLocal", "eight"), eight)
	p := newProbes512(fn, layout{1, 4}, eight)
	fw.octet512 = &octet512{p, p.spread()}
	emit(fw)
	fn.VZEROUPPER()
	fn.RET()
	fn.Label("otherwise")
	fn.TailCall(otherwise)
}

// loop emits what is done for each octet of keys, whose probes' bits are in K0.
// The last octet takes in keys before it if there are not enough.
func (fw *few) loop(each func()) {
	last := fw.GP64()
	fw.LEAQ(Mem{Base: fw.b.n, Disp: -octet}, last)
	fw.XORL(reg.ECX, reg.ECX)
	fw.Label("octets")
	hashes := Mem{Base: fw.b.hashes, Index: reg.RCX, Scale: hashBytes}
	fw.found(0, hashes, func(key int) Mem { return fw.b.block(hashes.Offset(hashBytes * key)) })
	each()
	fw.ADDQ(U8(octet), reg.RCX)
	fw.CMPQ(reg.RCX, last)
	fw.JBE(LabelRef("octets"))
	fw.CMPQ(reg.RCX, fw.b.n)
	fw.MOVQ(last, reg.RCX)
	fw.JB(LabelRef("octets"))
}
