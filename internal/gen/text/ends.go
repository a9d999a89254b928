// Package text emits the kernels that find the ends of lines.
package text

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

const (
	blockBytes = 64 // as package asm has it
	placeBytes = 4  // of an end's place
)

// Ends emits the kernels that find the places behind bytes.
func Ends(f *kernel.File) {
	ends(f, kernel.AVX512, "endsAVX512", newCompressor)
	ends(f, kernel.AVX2, "endsAVX2", newExtractor)
}

// A finder emits the search of a block: it stores the places from an address on, and maybe up to 64 others behind them.
type finder interface {
	find(data, to reg.GPVirtual) (n reg.GPVirtual)
	next()
}

// ends emits a kernel.
func ends(f *kernel.File, level kernel.Level, name string, newFinder func(fn *kernel.Function) finder) {
	fn := f.Function(level, name, "func(ends *uint32, room int, data *byte, blocks, from int, end byte) (n, left int)",
		name+" is Ends of some blocks of 64 bytes, at least one, that begin at a place. Without room for 64 ends more it stops,",
		"and returns how many blocks are left.")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	to, last, data, blocks := param("ends"), param("room"), param("data"), param("blocks")
	fn.LEAQ(Mem{Base: to, Index: last, Scale: placeBytes, Disp: -blockBytes * placeBytes}, last)
	finder := newFinder(fn)
	fn.Label("block")
	n := finder.find(data, to)
	fn.LEAQ(Mem{Base: to, Index: n, Scale: placeBytes}, to)
	fn.ADDQ(U8(blockBytes), data)
	finder.next()
	fn.DECQ(blocks)
	fn.JZ(LabelRef("done"))
	fn.CMPQ(to, last)
	fn.JBE(LabelRef("block"))
	fn.Label("done")
	fn.Store(blocks, fn.ReturnIndex(1))
	fn.SUBQ(fn.Address(fn.Param("ends")), to)
	fn.SHRQ(U8(2), to)
	fn.Store(to, fn.ReturnIndex(0))
	fn.VZEROUPPER()
	fn.RET()
}

// A compressor finds places by AVX-512: the numbers of a block's bytes are compressed, and widened 16 at a time.
type compressor struct {
	fn                         *kernel.Function
	end, numbers, block, bytes reg.VecVirtual
}

func newCompressor(fn *kernel.Function) finder {
	c := &compressor{fn, fn.ZMM(), fn.ZMM(), fn.ZMM(), fn.ZMM()}
	fn.VPBROADCASTB(fn.Address(fn.Param("end")), c.end)
	var numbers [blockBytes / 8]uint64 // of the places behind bytes
	for i := range blockBytes {
		numbers[i/8] |= uint64(i+1) << (8 * (i % 8))
	}
	fn.VMOVDQU64(fn.Words("places", numbers[:]...), c.numbers)
	fn.VPBROADCASTD(fn.Address(fn.Param("from")), c.block)
	fn.VPBROADCASTD(fn.Words("blockBytes", blockBytes), c.bytes)
	return c
}

func (c *compressor) find(data, to reg.GPVirtual) (n reg.GPVirtual) {
	const together = 16
	fn := c.fn
	n = fn.GP64()
	is, places := fn.K(), fn.ZMM()
	fn.VPCMPEQB(Mem{Base: data}, c.end, is)
	fn.KMOVQ(is, n)
	fn.VPCOMPRESSB_Z(c.numbers, is, places)
	fn.POPCNTQ(n, n)
	for i := range blockBytes / together {
		few, wide := places.AsX(), fn.ZMM()
		if i > 0 {
			few = fn.XMM()
			fn.VEXTRACTI64X2(U8(uint8(i)), places, few)
		}
		fn.VPMOVZXBD(few, wide)
		fn.VPADDD(c.block, wide, wide)
		fn.VMOVDQU32(wide, Mem{Base: to, Disp: i * together * placeBytes})
		if i == 0 {
			fn.CMPQ(n, U8(together))
			fn.JBE(LabelRef("found"))
		}
	}
	fn.Label("found")
	return n
}

func (c *compressor) next() { c.fn.VPADDD(c.bytes, c.block, c.block) }

// An extractor finds places by AVX2: it takes the bits of a block's mask, four at a time.
type extractor struct {
	fn    *kernel.Function
	end   reg.VecVirtual
	block reg.GPVirtual // the place behind the block's first byte
}

func newExtractor(fn *kernel.Function) finder {
	e := &extractor{fn, fn.YMM(), fn.GP64()}
	fn.VPBROADCASTB(fn.Address(fn.Param("end")), e.end)
	fn.Load(fn.Param("from"), e.block)
	fn.INCQ(e.block)
	return e
}

func (e *extractor) find(data, to reg.GPVirtual) (n reg.GPVirtual) {
	const together = 4
	fn := e.fn
	n = fn.GP64()
	at := fn.GP64()
	var halves [2]reg.GPVirtual
	for i := range halves {
		half := fn.YMM()
		halves[i] = fn.GP64()
		fn.VPCMPEQB(Mem{Base: data, Disp: i * blockBytes / 2}, e.end, half)
		fn.VPMOVMSKB(half, halves[i].As32())
	}
	left := halves[1]
	fn.SHLQ(U8(blockBytes/2), left)
	fn.ORQ(halves[0], left)
	fn.POPCNTQ(left, n)
	fn.MOVQ(to, at)
	fn.TESTQ(left, left)
	fn.JZ(LabelRef("found"))
	fn.Label("bits")
	for i := range together {
		bit := fn.GP64()
		fn.TZCNTQ(left, bit)
		fn.ADDL(e.block.As32(), bit.As32())
		fn.MOVL(bit.As32(), Mem{Base: at, Disp: i * placeBytes})
		fn.BLSRQ(left, left)
	}
	fn.ADDQ(U8(together*placeBytes), at)
	fn.TESTQ(left, left)
	fn.JNZ(LabelRef("bits"))
	fn.Label("found")
	return n
}

func (e *extractor) next() { e.fn.ADDL(U8(blockBytes), e.block.As32()) }
