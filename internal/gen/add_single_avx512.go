package main

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
		multiply func(s *single, positions reg.VecPhysical)
	}{
		{"fastLocal", (*single).productsOfPowers},
		{"blobloom", (*single).productsOfCubes},
	} {
		begin := func(name, signature, doc string) *blockBits512 {
			s := newAddSingle(f, kernel.AVX512, format.name+name+"AVX512", signature, doc)
			b := &blockBits512{s, s.block()}
			format.multiply(s, reg.Z16)
			b.gather()
			return b
		}
		begin("AddKey", "func(k *Kernel, hash uint64)", "Add of up to eight probes.").add()
		begin("AddIfAbsent", addIfAbsent, "AddIfAbsent of up to eight probes.").addIfAbsent()
		begin("Missing", missing, "missingBits of up to eight probes.").missing()
	}
}

// blockBits512 has the bits of a key in Z20. It uses no register that legacy SSE instructions can access: see
// fastLocalSingle512.
type blockBits512 struct {
	*single
	block Mem
}

// productsOfPowers sets products whose top bits are FastLocal's positions.
func (s *single) productsOfPowers(products reg.VecPhysical) {
	s.high(products.AsY())
	s.fn.VPMULLD(s.field("eight"), products.AsY(), products.AsY())
}

// productsOfCubes sets Blobloom's.
func (s *single) productsOfCubes(products reg.VecPhysical) {
	s.halves(products.AsY(), reg.Y17)
	s.fn.VPMULLD(s.field("eight"), products.AsY(), products.AsY())
	s.fn.VPADDD(reg.Y17, products.AsY(), products.AsY())
}

// gather sets the bits of the products in Z16. In each of a block's eight words, a probe's bit is a one shifted by
// the position less the word's first. Of a negative distance, which is a large one, the shift leaves nothing.
func (b *blockBits512) gather() {
	fn, positions, starts, one := b.fn, reg.Z16, reg.Z18, reg.Z19
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
	fn.CMPQ(b.field("probes"), U8(6))
	fn.JLE(LabelRef("gathered"))
	set(words[6:], 6)
	fn.VPTERNLOGQ(U8(or), words[6], words[7], words[0])
	fn.Label("gathered")
}

func (b *blockBits512) add() {
	b.fn.VPORQ(b.block, reg.Z20, reg.Z20)
	b.fn.VMOVDQU64(reg.Z20, b.block)
	b.fn.RET()
}

func (b *blockBits512) addIfAbsent() {
	there, absent := reg.Z21, b.fn.K()
	b.fn.VMOVDQU64(b.block, there)
	b.fn.VPORQ(there, reg.Z20, reg.Z20)
	b.fn.VMOVDQU64(reg.Z20, b.block)
	b.fn.VPCMPUQ(U8(4), there, reg.Z20, absent) // unequal words
	b.fn.KORTESTB(absent, absent)
	b.fn.SETNE(b.answer())
	b.fn.RET()
}

// missing changes no block: see fastLocalMissing256.
func (b *blockBits512) missing() {
	there, words, n := reg.Z21, b.fn.K(), b.fn.GP64()
	b.fn.VMOVDQU64(b.block, there)
	b.fn.VPANDNQ(reg.Z20, there, reg.Z20)
	to := b.fn.Load(b.fn.Param("missing"), b.fn.GP64())
	b.fn.VMOVDQU64(reg.Z20, Mem{Base: to})
	b.fn.VPTESTMQ(reg.Z20, reg.Z20, words)
	b.fn.KMOVB(words, n.As32())
	b.fn.MOVQ(n, b.fn.Address(b.fn.ReturnIndex(0)))
	b.fn.RET()
}
