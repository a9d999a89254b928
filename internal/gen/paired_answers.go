package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// answers emits what brings the answers out.
func (b *pairedBatch) answers(v vectors) {
	b.fn.Label("answers")
	n, at, sum, to := b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	// Those of keys that the last octet took in again are shifted out.
	b.fn.MOVQ(b.count, n)
	b.fn.LEAQ(Mem{Base: n, Disp: -1}, at)
	b.fn.ANDQ(I8(-octet), at)
	b.fn.MOVQ(n, reg.RCX)
	b.fn.NEGQ(reg.RCX)
	b.fn.ANDQ(U8(octet-1), reg.RCX)
	b.fn.SHLQ(U8(3), reg.RCX)
	b.fn.SHRQ(reg.CL, b.found.Idx(at, 1))

	b.fn.XORL(at.As32(), at.As32())
	b.fn.XORL(sum.As32(), sum.As32())
	b.fn.MOVQ(b.hitBits, to)
	b.fn.TESTQ(to, to)
	b.fn.JZ(LabelRef("bools"))
	count := func() reg.GPVirtual {
		word, found := v.word(b.found.Idx(at, 1)), b.fn.GP64()
		b.fn.POPCNTQ(word, found)
		b.fn.ADDQ(found, sum)
		return word
	}
	b.fn.Comment("Answers in bits, 64 at a time.")
	b.fn.Label("bits")
	b.fn.MOVQ(count(), Mem{Base: to})
	b.fn.ADDQ(U8(8), to)
	b.fn.ADDQ(U8(wordKeys), at)
	b.fn.CMPQ(at, n)
	b.fn.JB(LabelRef("bits"))
	b.fn.JMP(LabelRef("done"))

	b.fn.Label("bools")
	b.fn.MOVQ(b.hitBools, to)
	last, octetOf := b.fn.GP64(), b.fn.GP64()
	b.fn.LEAQ(Mem{Base: n, Disp: -wordKeys}, last)
	b.fn.Comment("Answers in bools, 64 at a time.")
	b.fn.Label("boolsNext")
	count()
	b.fn.CMPQ(at, last)
	b.fn.JG(LabelRef("boolsLast"))
	v.copy(b.found.Idx(at, 1), Mem{Base: to, Index: at, Scale: 1})
	b.fn.ADDQ(U8(wordKeys), at)
	b.fn.CMPQ(at, n)
	b.fn.JB(LabelRef("boolsNext"))
	b.fn.JMP(LabelRef("done"))
	b.fn.Label("boolsLast")
	b.fn.LEAQ(Mem{Base: n, Disp: -octet}, last)
	b.fn.JMP(LabelRef("boolsLeft"))
	b.fn.Label("boolsOctet")
	b.fn.MOVQ(b.found.Idx(at, 1), octetOf)
	b.fn.MOVQ(octetOf, Mem{Base: to, Index: at, Scale: 1})
	b.fn.ADDQ(U8(octet), at)
	b.fn.Label("boolsLeft")
	b.fn.CMPQ(at, last)
	b.fn.JB(LabelRef("boolsOctet"))
	b.fn.MOVQ(b.found.Idx(last, 1), octetOf)
	b.fn.MOVQ(octetOf, Mem{Base: to, Index: last, Scale: 1})

	b.fn.Label("done")
	b.fn.Store(sum, b.fn.ReturnIndex(0))
	b.fn.VZEROUPPER()
	b.fn.RET()
}
