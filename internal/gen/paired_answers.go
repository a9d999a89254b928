package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// answers emits what brings the answers out.
func (b *pairedBatch) answers(v vectors) {
	b.Label("answers")
	n, at, sum, to := b.GP64(), b.GP64(), b.GP64(), b.GP64()
	// Those of keys that the last octet took in again are shifted out.
	b.MOVQ(b.count, n)
	b.LEAQ(Mem{Base: n, Disp: -1}, at)
	b.ANDQ(I8(-octet), at)
	b.MOVQ(n, reg.RCX)
	b.NEGQ(reg.RCX)
	b.ANDQ(U8(octet-1), reg.RCX)
	b.SHLQ(U8(3), reg.RCX)
	b.SHRQ(reg.CL, b.found.Idx(at, 1))

	b.XORL(at.As32(), at.As32())
	b.XORL(sum.As32(), sum.As32())
	b.MOVQ(b.hitBits, to)
	b.TESTQ(to, to)
	b.JZ(LabelRef("bools"))
	count := func() reg.GPVirtual {
		word, found := v.word(b.found.Idx(at, 1)), b.GP64()
		b.POPCNTQ(word, found)
		b.ADDQ(found, sum)
		return word
	}
	b.Comment("Answers in bits, 64 at a time.")
	b.Label("bits")
	b.MOVQ(count(), Mem{Base: to})
	b.ADDQ(U8(8), to)
	b.ADDQ(U8(wordKeys), at)
	b.CMPQ(at, n)
	b.JB(LabelRef("bits"))
	b.JMP(LabelRef("done"))

	b.Label("bools")
	b.MOVQ(b.hitBools, to)
	last, octetOf := b.GP64(), b.GP64()
	b.LEAQ(Mem{Base: n, Disp: -wordKeys}, last)
	b.Comment("Answers in bools, 64 at a time.")
	b.Label("boolsNext")
	count()
	b.CMPQ(at, last)
	b.JG(LabelRef("boolsLast"))
	v.copy(b.found.Idx(at, 1), Mem{Base: to, Index: at, Scale: 1})
	b.ADDQ(U8(wordKeys), at)
	b.CMPQ(at, n)
	b.JB(LabelRef("boolsNext"))
	b.JMP(LabelRef("done"))
	b.Label("boolsLast")
	b.LEAQ(Mem{Base: n, Disp: -octet}, last)
	b.JMP(LabelRef("boolsLeft"))
	b.Label("boolsOctet")
	b.MOVQ(b.found.Idx(at, 1), octetOf)
	b.MOVQ(octetOf, Mem{Base: to, Index: at, Scale: 1})
	b.ADDQ(U8(octet), at)
	b.Label("boolsLeft")
	b.CMPQ(at, last)
	b.JB(LabelRef("boolsOctet"))
	b.MOVQ(b.found.Idx(last, 1), octetOf)
	b.MOVQ(octetOf, Mem{Base: to, Index: last, Scale: 1})

	b.Label("done")
	b.Store(sum, b.ReturnIndex(0))
	b.VZEROUPPER()
	b.RET()
}
