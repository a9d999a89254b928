package blocks

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// The formats, as package asm numbers them.
const (
	fastLocalFormat  = 2
	splitBlockFormat = 8
)

// Few512 emits the kernels for a few keys, in FastLocal with up to 8 probes and in SplitBlock, which
// check their arguments themselves: with so few keys, a call between the caller's
// and this one would cost as much as several of them. Linear's are apart.
func Few512(f *kernel.File) {
	fewOf512(f, "fastLocalContainsFewBits", "containsBits", true)
	fewOf512(f, "fastLocalContainsFewBools", "containsBools", false)
}

// A few is a kernel for few keys, from 1 to a number that the filter sets, at most 64. It
// is at the key whose number is in CX. Less than an octet are looked up one by one.
type few struct {
	bits bool // not bools
	b    *Batch
	hits reg.Register
	end  func() // emits what is before the return, or nil
}

func fewOf512(f *kernel.File, name, otherwise string, bits bool) {
	hits := "[]bool"
	if bits {
		hits = "[]uint64"
	}
	fn := f.Function(kernel.AVX512, name, "func(k *Kernel, hashes []uint64, hits "+hits+")",
		name+" is "+otherwise+" of few keys, in FastLocal's commonest form, in SplitBlock and in Linear.",
		"It goes on to "+otherwise+"OneByOne with the fewest keys of other filters, and to "+otherwise+" with all else,",
		"also with too few hits.")
	field := shared.FieldOf(fn, fn.Load(fn.Param("k"), fn.GP64()))
	fw := &few{bits: bits, b: &Batch{Fn: fn, n: fn.Load(fn.Param("hashes").Len(), fn.GP64()), Body: fn.GP64(), Size: fn.GP64()}}
	n := fw.b.n
	beyond, most := fn.GP64(), fn.GP64()
	fn.LEAQ(Mem{Base: n, Disp: -1}, beyond)
	fn.MOVL(field("oneByOne"), most.As32())
	fn.CMPQ(beyond, most)
	fn.JB(LabelRef("less"))
	fn.CMPQ(beyond, field("mostFew"))
	fn.JAE(LabelRef("otherwise"))
	fn.Label("few")
	fw.hasRoom()
	fw.hits = fn.Load(fn.Param("hits").Base(), fn.GP64())
	fw.b.hashes = fn.Load(fn.Param("hashes").Base(), fn.GP64())
	fn.MOVQ(field("body"), fw.b.Body)
	fn.MOVQ(field("body").Offset(8), fw.b.Size)
	fn.CMPB(field("format"), U8(fastLocalFormat))
	fn.JNE(LabelRef("others"))
	fn.CMPQ(n, U8(shared.Octet))
	fn.JB(LabelRef("oneByOne"))
	fw.fastLocal(field)
	fn.Label("oneByOne")
	fw.keys(&Single{Fn: fn, Field: field, Hash: Hashed{fn: fn, word: Mem{Base: fw.b.hashes, Index: reg.RCX, Scale: shared.HashBytes}}, Size: fw.b.Size}, "key")
	fn.RET()
	fn.Label("others")
	fn.CMPB(field("format"), U8(splitBlockFormat))
	fn.JNE(LabelRef("linear"))
	fw.splitBlock()

	fn.Label("less")
	fn.CMPQ(field("mostFew"), U8(0))
	fn.JNE(LabelRef("fewer"))
	fn.Label("each")
	fw.hasRoom()
	if bits {
		first := fn.Load(fn.Param("hits").Base(), fn.GP64())
		fn.MOVQ(U32(0), Mem{Base: first})
	}
	fn.TailCall(otherwise + "OneByOne")
	fn.Label("fewer")
	fn.CMPB(field("format"), U8(fastLocalFormat))
	fn.JNE(LabelRef("each"))
	fn.JMP(LabelRef("few"))
	fn.Label("linear")
	if bits {
		fn.TailCall("linearContainsFewBits")
	} else {
		fn.TailCall("linearContainsFewBools")
	}
	fn.Label("otherwise")
	fn.TailCall(otherwise)
}

// hasRoom jumps if there are too few hits.
func (fw *few) hasRoom() {
	fn := fw.b.Fn
	if room := fn.Address(fn.Param("hits").Len()); fw.bits {
		fn.CMPQ(room, U8(0)) // a word will do
		fn.JE(LabelRef("otherwise"))
	} else {
		fn.CMPQ(fw.b.n, room)
		fn.JA(LabelRef("otherwise"))
	}
}

// fastLocal emits the lookups in FastLocal, eight keys at a time.
func (fw *few) fastLocal(field func(name string) Mem) {
	fn, multipliers := fw.b.Fn, fw.b.Fn.GP64()
	fn.LEAQ(field("eight"), multipliers)
	fn.CMPQ(field("probes"), U8(uint8(Layouts[0].Probes())))
	fn.JA(LabelRef("more"))
	for i, l := range Layouts[:2] {
		if i > 0 {
			fn.Label("more")
		}
		p := NewProbes512(fn, l, multipliers)
		o := NewOctet512(p)
		fw.octets(fmt.Sprint("upTo", l.Probes()), func(hashes Mem) reg.GPVirtual {
			o.found(0, hashes, fw.b.Block)
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
			spread := fn.GP64()
			fn.MOVQ(fn.Words("lowest", 0x0101010101010101), spread)
			fn.PDEPQ(spread, answers, answers)
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
	fw.b.Fn.Label(label)
	s.High(reg.Y16)
	missing := s.eight512(Mem{Base: fw.b.Body, Index: s.Offset(), Scale: 1}, s.Field("eight"), nil)
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
