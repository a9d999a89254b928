package blocks

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// AddSingles emits the kernels that add one key to a prepared filter, of all formats. Where keys are added and looked
// up in turn, there are no batches.
func AddSingles(f *kernel.File) {
	addSingles512(f)
	fastLocalAddSingle(f)
	fastLocalAddIfAbsent256(f)
	fastLocalMissing256(f)
	splitBlockAddSingle(f)

	inGo := shared.Adder{Add: "addByFormat", AddIfAbsent: "addIfAbsentByFormat"}
	shared.DefineAdders(f, "inGoAdders", inGo, inGo, inGo)

	inGo = shared.Adder{Add: "fastLocalAddInGo", AddIfAbsent: "fastLocalAddIfAbsentInGo"}
	shared.DefineAdders(f, "fastLocalAdders", inGo,
		shared.Adder{Add: "fastLocalAddKeyAVX2", AddIfAbsent: "fastLocalAddIfAbsentAVX2"},
		shared.Adder{Add: "fastLocalAddKeyAVX512", AddIfAbsent: "fastLocalAddIfAbsentAVX512"})
	shared.DefineAdders(f, "sharedFastLocalAdders", shared.Adder{},
		shared.Adder{MissingBits: "fastLocalMissingAVX2"}, shared.Adder{MissingBits: "fastLocalMissingAVX512"})

	inGo = shared.Adder{Add: "blobloomAddInGo", AddIfAbsent: "blobloomAddIfAbsentInGo"}
	shared.DefineAdders(f, "blobloomAdders", inGo, inGo,
		shared.Adder{Add: "blobloomAddKeyAVX512", AddIfAbsent: "blobloomAddIfAbsentAVX512"})
	shared.DefineAdders(f, "sharedBlobloomAdders", shared.Adder{}, shared.Adder{}, shared.Adder{MissingBits: "blobloomMissingAVX512"})

	inGo = shared.Adder{Add: "splitBlockAddInGo", AddIfAbsent: "splitBlockAddIfAbsentInGo"}
	kernels := shared.Adder{Add: "splitBlockAddKeyAVX2", AddIfAbsent: "splitBlockAddIfAbsentAVX2"}
	shared.DefineAdders(f, "splitBlockAdders", inGo, kernels, kernels)
}

// newAddSingle begins a kernel that has the filter and the hash in registers, and fills vectors with the hash.
func newAddSingle(f *kernel.File, level kernel.Level, name, signature, doc string) *Single {
	fn := f.Entry(level, name, signature, name+" is "+doc)
	hash := HashOf(fn)
	hash.inRegister = true
	return newEntry(fn, hash)
}

// newAddByRows begins a kernel that gathers the bits on the stack. So it has a frame, and loads its arguments: see
// [kernel.File.Entry].
func newAddByRows(f *kernel.File, name, signature, doc string) *Single {
	fn := f.Function(kernel.AVX2, name, signature, name+" is "+doc)
	s := newSingle(fn, shared.FieldOf(fn, fn.Load(fn.Param("k"), fn.GP64())))
	s.Hash = HashOf(fn)
	return s
}

// The signatures: of adding, of adding that reports whether the key was absent, and of the kernels for shared bodies.
const (
	add         = "func(k *Kernel, hash uint64)"
	addIfAbsent = "func(k *Kernel, hash uint64) (found bool)"
	missing     = "func(k *Kernel, hash uint64, missing *[8]uint64) uint64"
)

// fastLocalAddSingle sets bit after bit in the block. That takes fewer instructions than
// gathering them in vectors, so more keys wait for memory at once. In a cache, AVX2 takes about the same, and
// AVX-512 less. It fills no vector, so the hash stays in the register: loading the halves of what was just
// stored takes a seventh longer (Zen 4).
func fastLocalAddSingle(f *kernel.File) {
	fn := f.Entry(kernel.AVX2, "fastLocalAddKeyAVX2", add, "fastLocalAddKeyAVX2 is Add, at AVX2 and beyond.")
	s := newEntry(fn, inRegister(fn))
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

// fastLocalAddIfAbsent256 compares the block with what it becomes.
func fastLocalAddIfAbsent256(f *kernel.File) {
	s := newAddByRows(f, "fastLocalAddIfAbsentAVX2", addIfAbsent, "AddIfAbsent, at AVX2 and beyond.")
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
	s := newAddByRows(f, "fastLocalMissingAVX2", missing, "missingBits, at AVX2 and beyond.")
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
