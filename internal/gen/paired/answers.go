package paired

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// answers emits the end of a batch, which writes the answers.
func (b *batch) answers(v vectors) {
	b.Fn.Label("answers")
	n, at, sum, to := b.Fn.GP64(), b.Fn.GP64(), b.Fn.GP64(), b.Fn.GP64()
	// Those of keys that the last octet took in again are shifted out.
	b.Fn.MOVQ(b.count, n)
	b.Fn.LEAQ(Mem{Base: n, Disp: -1}, at)
	b.Fn.ANDQ(I8(-shared.Octet), at)
	b.Fn.MOVQ(n, reg.RCX)
	b.Fn.NEGQ(reg.RCX)
	b.Fn.ANDQ(U8(shared.Octet-1), reg.RCX)
	b.Fn.SHLQ(U8(3), reg.RCX)
	b.Fn.SHRQ(reg.CL, b.found.Idx(at, 1))

	b.Fn.XORL(at.As32(), at.As32())
	b.Fn.XORL(sum.As32(), sum.As32())
	b.Fn.MOVQ(b.hitBits, to)
	b.Fn.TESTQ(to, to)
	b.Fn.JZ(LabelRef("bools"))
	count := func() reg.GPVirtual {
		word, found := v.word(b.found.Idx(at, 1)), b.Fn.GP64()
		b.Fn.POPCNTQ(word, found)
		b.Fn.ADDQ(found, sum)
		return word
	}
	b.Fn.Comment("Answers in bits, 64 at a time.")
	b.Fn.Label("bits")
	b.Fn.MOVQ(count(), Mem{Base: to})
	b.Fn.ADDQ(U8(8), to)
	b.Fn.ADDQ(U8(shared.WordKeys), at)
	b.Fn.CMPQ(at, n)
	b.Fn.JB(LabelRef("bits"))
	b.Fn.JMP(LabelRef("done"))

	b.Fn.Label("bools")
	b.Fn.MOVQ(b.hitBools, to)
	last, octetOf := b.Fn.GP64(), b.Fn.GP64()
	b.Fn.LEAQ(Mem{Base: n, Disp: -shared.WordKeys}, last)
	b.Fn.Comment("Answers in bools, 64 at a time.")
	b.Fn.Label("boolsNext")
	count()
	b.Fn.CMPQ(at, last)
	b.Fn.JG(LabelRef("boolsLast"))
	v.copy(b.found.Idx(at, 1), Mem{Base: to, Index: at, Scale: 1})
	b.Fn.ADDQ(U8(shared.WordKeys), at)
	b.Fn.CMPQ(at, n)
	b.Fn.JB(LabelRef("boolsNext"))
	b.Fn.JMP(LabelRef("done"))
	b.Fn.Label("boolsLast")
	b.Fn.LEAQ(Mem{Base: n, Disp: -shared.Octet}, last)
	b.Fn.JMP(LabelRef("boolsLeft"))
	b.Fn.Label("boolsOctet")
	b.Fn.MOVQ(b.found.Idx(at, 1), octetOf)
	b.Fn.MOVQ(octetOf, Mem{Base: to, Index: at, Scale: 1})
	b.Fn.ADDQ(U8(shared.Octet), at)
	b.Fn.Label("boolsLeft")
	b.Fn.CMPQ(at, last)
	b.Fn.JB(LabelRef("boolsOctet"))
	b.Fn.MOVQ(b.found.Idx(last, 1), octetOf)
	b.Fn.MOVQ(octetOf, Mem{Base: to, Index: last, Scale: 1})

	b.Fn.Label("done")
	b.Fn.Store(sum, b.Fn.ReturnIndex(0))
	b.Fn.VZEROUPPER()
	b.Fn.RET()
}
