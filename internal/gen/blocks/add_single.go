package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// The kernels that add one key to a prepared filter. Where keys are added and looked up in
// turn, there are no batches.

// newAddSingle begins a function that Go calls with a prepared filter.
func newAddSingle(f *kernel.File, level kernel.Level, name, signature, doc string) *Single {
	fn := f.Function(level, name, signature, name+" is "+doc)
	s := newSingle(fn, shared.FieldOf(fn, fn.Load(fn.Param("k"), fn.GP64())))
	s.Hash = HashOf(fn)
	return s
}

// missing is the signature of the kernels for shared bodies.
const missing = "func(k *Kernel, hash uint64, missing *[8]uint64) uint64"

// fastLocalAddSingle sets bit after bit in the block. That takes fewer instructions than
// gathering them in vectors, so more keys wait for memory at once. In a cache, AVX2 takes about the same, and
// AVX-512 less.
func fastLocalAddSingle(f *kernel.File) {
	s := newAddSingle(f, kernel.AVX2, "fastLocalAddKeyAVX2", "func(k *Kernel, hash uint64)", "Add, at AVX2 and beyond.")
	fn := s.Fn
	left, product, one := fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVQ(s.Field("probes"), left)
	block := s.block()
	s.Hash.High(product)
	fn.MOVL(U32(1), one.As32())
	powers := PowersOfPhi()
	fn.Label("eight")
	for probe := range rowProbes {
		word, bit := fn.GP64(), fn.GP64()
		if probe == 0 {
			fn.MOVL(product.As32(), word.As32())
		} else {
			fn.CMPQ(left, U8(uint8(probe)))
			fn.JLE(LabelRef("done"))
			fn.IMUL3L(I32(int32(powers[probe])), product.As32(), word.As32())
		}
		fn.RORXL(U8(23), word.As32(), bit.As32())
		fn.SHRL(U8(29), word.As32())
		fn.SHLXQ(bit, one, bit)
		fn.ORQ(bit, Mem{Base: block.Base, Index: word, Scale: 8})
	}
	fn.IMUL3L(I32(int32(powers[rowProbes])), product.As32(), product.As32())
	fn.SUBQ(U8(rowProbes), left)
	fn.JA(LabelRef("eight"))
	fn.Label("done")
	fn.RET()
}

// addIfAbsent is the signature of the functions that add a key, and report whether it was absent.
const addIfAbsent = "func(k *Kernel, hash uint64) (found bool)"

// fastLocalAddIfAbsent256 compares the block with what it becomes.
func fastLocalAddIfAbsent256(f *kernel.File) {
	s := newAddSingle(f, kernel.AVX2, "fastLocalAddIfAbsentAVX2", addIfAbsent, "AddIfAbsent, at AVX2 and beyond.")
	fn := s.Fn
	block := s.block()
	halves := s.gather(block)
	changed, upper := fn.YMM(), fn.YMM()
	fn.VPXOR(block, halves[0], changed)
	fn.VMOVDQU(halves[0], block)
	fn.VPXOR(block.Offset(RowBytes), halves[1], upper)
	fn.VMOVDQU(halves[1], block.Offset(RowBytes))
	fn.VPOR(upper, changed, changed)
	fn.VPTEST(changed, changed)
	fn.SETNE(s.Answer())
	fn.VZEROUPPER()
	fn.RET()
}

// gather returns the block's halves with the key's bits.
func (s *Single) gather(block Mem) [2]reg.VecVirtual {
	fn := s.Fn
	r, high, probes := NewRows256(fn), fn.YMM(), fn.GP64()
	fn.MOVQ(s.Field("probes"), probes)
	s.High(high)
	multipliers := fn.GP64()
	fn.MOVQ(s.Field("multipliers"), multipliers)
	rows := fn.AllocLocal((MaxProbes + rowProbes - 1) / rowProbes * RowBytes)
	for row := 0; rowProbes*row < MaxProbes; row++ {
		if row > 0 {
			fn.CMPQ(probes, U8(uint8(rowProbes*row)))
			fn.JLE(LabelRef("stored"))
		}
		products := fn.YMM()
		fn.VPMULLD(Mem{Base: multipliers, Disp: RowBytes * row}, high, products)
		r.Store(products, rows.Offset(RowBytes*row))
	}
	fn.Label("stored")
	return r.gatherRows(probes, rows, block)
}

// fastLocalMissing256 changes no block: several goroutines may set bits in it.
func fastLocalMissing256(f *kernel.File) {
	s := newAddSingle(f, kernel.AVX2, "fastLocalMissingAVX2", missing, "missingBits, at AVX2 and beyond.")
	fn := s.Fn
	block := s.block()
	halves := s.gather(block)
	missing := fn.Load(fn.Param("missing"), fn.GP64())
	zero := fn.YMM()
	fn.VPXOR(zero, zero, zero)
	masks := [2]reg.GPVirtual{fn.GP32(), fn.GP32()} // of words without any
	for half, y := range halves {
		there, none := fn.YMM(), fn.YMM()
		fn.VMOVDQU(block.Offset(RowBytes*half), there)
		fn.VPANDN(y, there, y)
		fn.VMOVDQU(y, Mem{Base: missing, Disp: RowBytes * half})
		fn.VPCMPEQQ(y, zero, none)
		fn.VMOVMSKPD(none, masks[half])
	}
	fn.SHLL(U8(RowBytes/8), masks[1])
	fn.ORL(masks[1], masks[0])
	fn.XORL(U32(1<<(shared.LineBytes/8)-1), masks[0])
	fn.MOVQ(masks[0].As64(), fn.Address(fn.ReturnIndex(0)))
	fn.VZEROUPPER()
	fn.RET()
}
