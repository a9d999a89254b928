package blocks

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// splitBlockFormat is a format, as package asm numbers them.
const splitBlockFormat = 8

// Few512 emits the kernels for a few keys: they pass through no function in Go, which would cost as much as
// several keys. Linear's are apart.
func Few512(f *kernel.File) {
	fastLocalFew512(f, "fastLocalContainsFewBits", true)
	fastLocalFew512(f, "fastLocalContainsFewBools", false)
	newFew(f, "splitBlockContainsFewBits", "8", true).splitBlock()
	newFew(f, "splitBlockContainsFewBools", "8", false).splitBlock()
}

// A few is a kernel for few keys, from 1 to a number that the filter sets, at most 64. It
// is at the key whose number is in CX.
type few struct {
	bits  bool // not bools
	b     *Batch
	field func(name string) Mem
	hits  reg.Register
	end   func() // emits the code before the return, or nil
}

// newFew begins a kernel for at least the given number of keys.
func newFew(f *kernel.File, name, least string, bits bool) *few {
	hits := "[]bool"
	if bits {
		hits = "[]uint64"
	}
	fn := f.Function(kernel.AVX512, name, "func(k *Kernel, hashes []uint64, hits "+hits+")",
		name+" looks up "+least+" to 64 hashes. There is room for their answers.")
	param := func(name string) reg.Register { return fn.Load(fn.Param(name).Base(), fn.GP64()) }
	field := shared.FieldOf(fn, fn.Load(fn.Param("k"), fn.GP64()))
	fw := &few{bits: bits, field: field, hits: param("hits"), b: &Batch{
		Fn: fn, n: fn.Load(fn.Param("hashes").Len(), fn.GP64()), hashes: param("hashes"), Body: fn.GP64(), Size: fn.GP64(),
	}}
	fn.MOVQ(field("body"), fw.b.Body)
	fn.MOVQ(field("body").Offset(8), fw.b.Size)
	return fw
}

// fastLocalFew512 emits the kernel for FastLocal with up to 8 probes. Less than an octet are looked up one by one.
func fastLocalFew512(f *kernel.File, name string, bits bool) {
	fw := newFew(f, name, "1", bits)
	fn := fw.b.Fn
	fn.CMPQ(fw.b.n, U8(shared.Octet))
	fn.JB(LabelRef("oneByOne"))
	fw.fastLocal()
	fn.Label("oneByOne")
	fw.keys(&Single{Fn: fn, Field: fw.field, Hash: Hashed{fn: fn, word: Mem{Base: fw.b.hashes, Index: reg.RCX, Scale: shared.HashBytes}}, Size: fw.b.Size}, "key")
	fn.RET()
}

// fastLocal emits the lookups in FastLocal, eight keys at a time.
func (fw *few) fastLocal() {
	fn, multipliers := fw.b.Fn, fw.b.Fn.GP64()
	fn.LEAQ(fw.field("eight"), multipliers)
	fn.CMPQ(fw.field("probes"), U8(uint8(Layouts[0].Probes())))
	fn.JA(LabelRef("more"))
	for i, l := range Layouts[:2] {
		if i > 0 {
			fn.Label("more")
		}
		p := NewProbes512(fn, l, multipliers)
		o := NewOctet512(p)
		fw.octets(fmt.Sprint("upTo", l.Probes()), func(hashes Mem) reg.GPVirtual {
			o.found(hashes, fw.b.Block)
			if fw.bits {
				return o.reduce()
			}
			return o.oneByOne()
		})
	}
}

// splitBlock emits those in SplitBlock.
func (fw *few) splitBlock() {
	fn := fw.b.Fn
	fw.b.split = true
	o := newSplitOctet512(fn)
	fw.octets("blocks", func(hashes Mem) reg.GPVirtual {
		answers := o.Answer(hashes, fw.b.Block)
		if !fw.bits {
			return spread(fn, answers)
		}
		return answers
	})
}

// keys emits the loop over keys one by one.
func (fw *few) keys(s *Single, label string) {
	fn := fw.b.Fn
	if !fw.bits {
		fw.eachKey(s, label, func() { fn.SETEQ(Mem{Base: fw.hits, Index: reg.RCX, Scale: 1}) })
		return
	}
	word, answer := fn.GP64(), fn.GP64()
	fn.XORL(word.As32(), word.As32())
	fw.eachKey(s, label, func() {
		fn.SETEQ(answer.As8())
		fn.MOVBLZX(answer.As8(), answer.As32())
		fn.SHLQ(reg.CL, answer)
		fn.ORQ(answer, word)
	})
	fn.MOVQ(word, Mem{Base: fw.hits})
}

// eachKey emits the loop over keys one by one. The zero flag is set for those that are found.
func (fw *few) eachKey(s *Single, label string, each func()) {
	fw.b.Fn.XORL(reg.ECX, reg.ECX)
	multipliers := s.multipliers512(s.Field("eight"), reg.Z19)
	fw.b.Fn.Label(label)
	s.High(reg.Z16)
	missing := s.eight512(Mem{Base: fw.b.Body, Index: s.Offset(), Scale: 1}, multipliers)
	fw.b.Fn.KORTESTB(missing, missing)
	each()
	fw.b.Fn.INCQ(reg.RCX)
	fw.b.Fn.CMPQ(reg.RCX, fw.b.n)
	fw.b.Fn.JB(LabelRef(label))
}

// octets emits the loop over octets of keys, whose answers are in bits or bytes. The last octet
// takes in keys before it if there are not enough.
func (fw *few) octets(label string, answers func(hashes Mem) reg.GPVirtual) {
	fn := fw.b.Fn
	last, word := fn.GP64(), fn.GP64()
	if fw.bits {
		fn.XORL(word.As32(), word.As32())
	}
	fn.LEAQ(Mem{Base: fw.b.n, Disp: -shared.Octet}, last)
	fn.XORL(reg.ECX, reg.ECX)
	fn.Label(label)
	if all := answers(Mem{Base: fw.b.hashes, Index: reg.RCX, Scale: shared.HashBytes}); fw.bits {
		fn.SHLQ(reg.CL, all) // by the first key's number
		fn.ORQ(all, word)
	} else {
		fn.MOVQ(all, Mem{Base: fw.hits, Index: reg.RCX, Scale: 1})
	}
	fn.ADDQ(U8(shared.Octet), reg.RCX)
	fn.CMPQ(reg.RCX, last)
	fn.JBE(LabelRef(label))
	fn.CMPQ(reg.RCX, fw.b.n)
	fn.MOVQ(last, reg.RCX)
	fn.JB(LabelRef(label))
	if fw.bits {
		fn.MOVQ(word, Mem{Base: fw.hits})
	}
	fn.VZEROUPPER()
	if fw.end != nil {
		fw.end()
	}
	fn.RET()
}
