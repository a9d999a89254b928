package blocks

import (
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// addSingles512 emits the kernels that add a key of up to six or eight probes by one load and one store of its block.
// Probes that set bits of memory one by one wait for each other.
func addSingles512(f *kernel.File) {
	for _, format := range []struct {
		name     string
		multiply func(s *Single, positions reg.VecPhysical)
	}{
		{"fastLocal", (*Single).productsOfPowers},
		{"blobloom", (*Single).productsOfCubes},
	} {
		for i, most := range []string{"Six", "Eight"} {
			begin := func(name, signature, doc string, room func(fn *kernel.Function) Mem) (_ *blockBits512, to Mem) {
				doc += " of up to " + strings.ToLower(most) + " probes."
				s := newAddSingle(f, kernel.AVX512, format.name+name+most+"AVX512", signature, doc)
				b := &blockBits512{Single: s, block: s.block()}
				format.multiply(s, reg.Z16)
				to = room(s.Fn)
				b.gather(6+2*i, to)
				return b, to
			}
			inResult := func(fn *kernel.Function) Mem { return fn.Address(fn.Return("room").Index(0)) }
			b, _ := begin("AddKey", add, "Add", inResult)
			b.add()
			b, _ = begin("AddIfAbsent", addIfAbsent, "AddIfAbsent", inResult)
			b.addIfAbsent()
			b, to := begin("Missing", missing, "missingBits", func(fn *kernel.Function) Mem {
				return Mem{Base: fn.Load(fn.Param("missing"), fn.GP64())}
			})
			b.missing(to)
		}
	}
}

// blockBits512 has the bits of a key in two registers, whose "or" they are. It uses no register that legacy SSE
// instructions can access: see fastLocalSingle512.
type blockBits512 struct {
	*Single
	block Mem
	bits  [2]reg.VecPhysical
}

// productsOfPowers sets the low halves of quadwords, whose top bits are FastLocal's positions.
func (s *Single) productsOfPowers(products reg.VecPhysical) {
	s.High(products)
	s.multiplyEight(products)
}

// productsOfCubes sets Blobloom's.
func (s *Single) productsOfCubes(products reg.VecPhysical) {
	s.halves(products, reg.Z17)
	s.multiplyEight(products)
	s.Fn.VPADDD(reg.Z17, products, products)
}

// multiplyEight takes half as long as VPMULLD does (Emerald Rapids).
func (s *Single) multiplyEight(factor reg.VecPhysical) {
	s.Fn.VPMOVZXDQ(s.Field("eight"), reg.Z18)
	s.Fn.VPMULUDQ(reg.Z18, factor, factor)
}

// gather gathers the bits of the products in Z16. In each of a block's sixteen doublewords, a probe's bit is a one
// shifted by the position less the doubleword's first. Of a negative distance, which is a large one, the shift leaves
// nothing.
//
// Each position comes to all doublewords by way of memory, of which the room has 64 bytes. That takes two instructions
// a probe, no shuffle, and 27 instructions for six probes. Taking positions out of vectors took 43, or 39 with four in
// a quadword. In 16 KiB and 32 MiB, adding takes 4.5 and 24 ns instead of 5.5 and 37. Scalar multiplications, and
// positions that come from general registers, take 4.7 and 24 (Emerald Rapids).
func (b *blockBits512) gather(probes int, room Mem) {
	fn, positions, ends, ones := b.Fn, reg.Z16, reg.Z18, reg.Z19
	var starts [shared.LineBytes / 8]uint64 // negated
	for i := range starts {
		starts[i] = uint64(uint32(-64*i)) | uint64(-64*i-32)<<32
	}
	fn.VPSRLD(U8(23), positions, positions)
	fn.VMOVDQU32(positions, room)
	fn.VMOVDQU32(fn.Words("negativeStarts", starts[:]...), ends)
	fn.VPBROADCASTD(b.One(), ones)
	bits := []reg.VecPhysical{reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27}[:probes]
	for i, z := range bits {
		fn.VPADDD_BCST(room.Offset(8*i), ends, z)
	}
	for _, z := range bits {
		fn.VPSLLVD(z, ones, z)
	}
	fn.VPTERNLOGQ(U8(or), bits[1], bits[2], bits[0])
	fn.VPTERNLOGQ(U8(or), bits[4], bits[5], bits[3])
	if probes > 6 {
		fn.VPTERNLOGQ(U8(or), bits[6], bits[7], bits[0])
	}
	b.bits = [2]reg.VecPhysical{bits[0], bits[3]}
}

// What VPTERNLOG computes of three operands.
const (
	or     = 0xfe // of all three
	andNot = 0x54 // "or" of the first two, without the bits of the last one, which may be in memory
)

func (b *blockBits512) add() {
	b.Fn.VPTERNLOGQ(U8(or), b.block, b.bits[1], b.bits[0])
	b.Fn.VMOVDQU64(b.bits[0], b.block)
	b.Fn.RET()
}

func (b *blockBits512) addIfAbsent() {
	there, absent := reg.Z28, b.Fn.K()
	b.Fn.VMOVDQU64(b.block, there)
	b.Fn.VPTERNLOGQ(U8(or), there, b.bits[1], b.bits[0])
	b.Fn.VMOVDQU64(b.bits[0], b.block)
	b.Fn.VPCMPUQ(U8(4), there, b.bits[0], absent) // unequal words
	b.Fn.KORTESTB(absent, absent)
	b.Fn.SETNE(b.Answer())
	b.Fn.RET()
}

// missing changes no block: see fastLocalMissing256.
func (b *blockBits512) missing(to Mem) {
	words, n := b.Fn.K(), b.Fn.GP64()
	b.Fn.VPTERNLOGQ(U8(andNot), b.block, b.bits[1], b.bits[0])
	b.Fn.VMOVDQU64(b.bits[0], to)
	b.Fn.VPTESTMQ(b.bits[0], b.bits[0], words)
	b.Fn.KMOVB(words, n.As32())
	b.Fn.MOVQ(n, b.Fn.Address(b.Fn.ReturnIndex(0)))
	b.Fn.RET()
}
