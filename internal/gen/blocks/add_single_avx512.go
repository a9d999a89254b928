package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// addSingles512 emits the kernels that add a key of up to eight probes by one load and one store of its block.
// Probes that set bits of memory one by one wait for each other.
func addSingles512(f *kernel.File) {
	for _, format := range []struct {
		name     string
		multiply func(s *Single, positions reg.VecPhysical)
	}{
		{"fastLocal", (*Single).productsOfPowers},
		{"blobloom", (*Single).productsOfCubes},
	} {
		begin := func(name, signature, doc string) *blockBits512 {
			s := newAddSingle(f, kernel.AVX512, format.name+name+"AVX512", signature, doc)
			b := &blockBits512{s, s.block()}
			format.multiply(s, reg.Z16)
			b.gather()
			return b
		}
		begin("AddKey", add, "Add of up to eight probes.").add()
		begin("AddIfAbsent", addIfAbsent, "AddIfAbsent of up to eight probes.").addIfAbsent()
		begin("Missing", missing, "missingBits of up to eight probes.").missing()
	}
}

// blockBits512 has the bits of a key in Z20. It uses no register that legacy SSE instructions can access: see
// fastLocalSingle512.
type blockBits512 struct {
	*Single
	block Mem
}

// productsOfPowers sets products whose top bits are FastLocal's positions.
func (s *Single) productsOfPowers(products reg.VecPhysical) {
	s.High(products.AsY())
	s.Fn.VPMULLD(s.Field("eight"), products.AsY(), products.AsY())
}

// productsOfCubes sets Blobloom's.
func (s *Single) productsOfCubes(products reg.VecPhysical) {
	s.halves(products.AsY(), reg.Y17)
	s.Fn.VPMULLD(s.Field("eight"), products.AsY(), products.AsY())
	s.Fn.VPADDD(reg.Y17, products.AsY(), products.AsY())
}

// gather sets the bits of the products in Z16. In each of a block's eight words, a probe's bit is a one shifted by
// the position less the word's first. Of a negative distance, which is a large one, the shift leaves nothing.
func (b *blockBits512) gather() {
	fn, positions, starts, one := b.Fn, reg.Z16, reg.Z18, reg.Z19
	fn.VPSRLD(U8(23), positions.AsY(), positions.AsY())
	fn.VMOVDQU64(fn.Words("starts", 0, 64, 128, 192, 256, 320, 384, 448), starts)
	fn.VPBROADCASTQ(fn.Words("oneWord", 1), one)
	words := []reg.VecPhysical{reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27}
	set := func(words []reg.VecPhysical, first int) {
		const zero = rowProbes // a doubleword behind the positions
		for i, x := range words {
			fn.VPBROADCASTQ(fn.Words("position", uint64(zero)<<32|uint64(first+i)), x)
		}
		for _, x := range words {
			fn.VPERMD(positions, x, x)
		}
		for _, x := range words {
			fn.VPSUBQ(starts, x, x)
		}
		for _, x := range words {
			fn.VPSLLVQ(x, one, x)
		}
	}
	const or = 0xfe // of three
	set(words[:6], 0)
	fn.VPTERNLOGQ(U8(or), words[1], words[2], words[0])
	fn.VPTERNLOGQ(U8(or), words[3], words[4], words[5])
	fn.VPORQ(words[5], words[0], words[0])
	fn.CMPQ(b.Field("probes"), U8(6))
	fn.JLE(LabelRef("gathered"))
	set(words[6:], 6)
	fn.VPTERNLOGQ(U8(or), words[6], words[7], words[0])
	fn.Label("gathered")
}

func (b *blockBits512) add() {
	b.Fn.VPORQ(b.block, reg.Z20, reg.Z20)
	b.Fn.VMOVDQU64(reg.Z20, b.block)
	b.Fn.RET()
}

func (b *blockBits512) addIfAbsent() {
	there, absent := reg.Z21, b.Fn.K()
	b.Fn.VMOVDQU64(b.block, there)
	b.Fn.VPORQ(there, reg.Z20, reg.Z20)
	b.Fn.VMOVDQU64(reg.Z20, b.block)
	b.Fn.VPCMPUQ(U8(4), there, reg.Z20, absent) // unequal words
	b.Fn.KORTESTB(absent, absent)
	b.Fn.SETNE(b.Answer())
	b.Fn.RET()
}

// missing changes no block: see fastLocalMissing256.
func (b *blockBits512) missing() {
	there, words, n := reg.Z21, b.Fn.K(), b.Fn.GP64()
	b.Fn.VMOVDQU64(b.block, there)
	b.Fn.VPANDNQ(reg.Z20, there, reg.Z20)
	to := b.Fn.Load(b.Fn.Param("missing"), b.Fn.GP64())
	b.Fn.VMOVDQU64(reg.Z20, Mem{Base: to})
	b.Fn.VPTESTMQ(reg.Z20, reg.Z20, words)
	b.Fn.KMOVB(words, n.As32())
	b.Fn.MOVQ(n, b.Fn.Address(b.Fn.ReturnIndex(0)))
	b.Fn.RET()
}
