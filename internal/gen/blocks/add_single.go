package blocks

import (
	"strings"

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
	fastLocalAddAtOnce256(f)
	fastLocalMissing256(f)
	splitBlockAddSingle(f)

	inGo := shared.Adder{Add: "addByFormat", AddIfAbsent: "addIfAbsentByFormat"}
	shared.Adders{Go: inGo, AVX2: inGo, Six512: inGo, Eight512: inGo}.Define(f, "inGoAdders")

	six256, eight256 := "fastLocalAddIfAbsentSixAVX2", "fastLocalAddIfAbsentEightAVX2"
	shared.Adders{
		Go:          shared.Adder{Add: "fastLocalAddInGo", AddIfAbsent: "fastLocalAddIfAbsentInGo"},
		AVX2:        shared.Adder{Add: "fastLocalAddKeyAVX2", AddIfAbsent: "fastLocalAddIfAbsentAVX2"},
		Six256:      shared.Adder{Add: "fastLocalAddKeySixAVX2", AddIfAbsent: six256},
		Eight256:    shared.Adder{Add: "fastLocalAddKeyEightAVX2", AddIfAbsent: eight256},
		FarSix256:   shared.Adder{Add: "fastLocalAddAtOnceSixAVX2", AddIfAbsent: six256},
		FarEight256: shared.Adder{Add: "fastLocalAddAtOnceEightAVX2", AddIfAbsent: eight256},
		Six512:      shared.Adder{Add: "fastLocalAddKeySixAVX512", AddIfAbsent: "fastLocalAddIfAbsentSixAVX512"},
		Eight512:    shared.Adder{Add: "fastLocalAddKeyEightAVX512", AddIfAbsent: "fastLocalAddIfAbsentEightAVX512"},
	}.Define(f, "fastLocalAdders")
	missing256 := shared.Adder{MissingBits: "fastLocalMissingAVX2"}
	shared.Adders{
		AVX2:     missing256,
		Six512:   shared.Adder{MissingBits: "fastLocalMissingSixAVX512"},
		Eight512: shared.Adder{MissingBits: "fastLocalMissingEightAVX512"},
	}.Define(f, "sharedFastLocalAdders")

	inGo = shared.Adder{Add: "blobloomAddInGo", AddIfAbsent: "blobloomAddIfAbsentInGo"}
	shared.Adders{
		Go: inGo, AVX2: inGo,
		Six512:   shared.Adder{Add: "blobloomAddKeySixAVX512", AddIfAbsent: "blobloomAddIfAbsentSixAVX512"},
		Eight512: shared.Adder{Add: "blobloomAddKeyEightAVX512", AddIfAbsent: "blobloomAddIfAbsentEightAVX512"},
	}.Define(f, "blobloomAdders")
	shared.Adders{
		Six512:   shared.Adder{MissingBits: "blobloomMissingSixAVX512"},
		Eight512: shared.Adder{MissingBits: "blobloomMissingEightAVX512"},
	}.Define(f, "sharedBlobloomAdders")

	kernels := shared.Adder{Add: "splitBlockAddKeyAVX2", AddIfAbsent: "splitBlockAddIfAbsentAVX2"}
	shared.Adders{
		Go:   shared.Adder{Add: "splitBlockAddInGo", AddIfAbsent: "splitBlockAddIfAbsentInGo"},
		AVX2: kernels, Six512: kernels, Eight512: kernels,
	}.Define(f, "splitBlockAdders")
}

// newAddSingle begins a kernel that has the filter and the hash in registers, and fills vectors with the hash.
func newAddSingle(f *kernel.File, level kernel.Level, name, signature, doc string) *Single {
	fn := f.Entry(level, name, signature, name+" is "+doc)
	return newEntry(fn, inBoth(fn))
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
// Kernels keep positions in the room: see blockBits512.
const (
	add         = "func(k *Kernel, hash uint64) (room [8]uint64)"
	addIfAbsent = "func(k *Kernel, hash uint64) (found bool, room [8]uint64)"
	missing     = "func(k *Kernel, hash uint64, missing *[8]uint64) uint64"
)

// fastLocalAddSingle sets bit after bit in the block. That takes fewer instructions than
// gathering them in vectors, so more keys wait for memory at once. It fills no vector, so the hash stays in the
// register: loading the halves of what was just stored takes a seventh longer (Zen 4).
func fastLocalAddSingle(f *kernel.File) {
	for i, probes := range []string{"Six", "Eight"} {
		b := newBitByBit(f, "fastLocalAddKey"+probes+"AVX2", "Add of "+strings.ToLower(probes)+" probes, without comparisons.")
		for probe := range 6 + 2*i {
			b.set(probe)
		}
		b.Fn.RET()
	}

	s := newBitByBit(f, "fastLocalAddKeyAVX2", "Add, at AVX2 and beyond.")
	fn, left := s.Fn, s.Fn.GP64()
	fn.MOVQ(s.Field("probes"), left)
	fn.Label("eight")
	for probe := range rowProbes {
		if probe > 0 {
			fn.CMPQ(left, U8(uint8(probe)))
			fn.JLE(LabelRef("done"))
		}
		s.set(probe)
	}
	fn.IMUL3L(I32(int32(s.powers[rowProbes])), s.product.As32(), s.product.As32())
	fn.SUBQ(U8(rowProbes), left)
	fn.JA(LabelRef("eight"))
	fn.Label("done")
	fn.RET()
}

// bitByBit sets bits in the block one by one.
type bitByBit struct {
	*Single
	body         reg.Register
	product, one reg.GPVirtual // of the first of eight probes
	powers       [32]uint32
}

func newBitByBit(f *kernel.File, name, doc string) *bitByBit {
	fn := f.Entry(kernel.AVX2, name, add, name+" is "+doc)
	b := &bitByBit{Single: newEntry(fn, inRegister(fn)), product: fn.GP64(), one: fn.GP64(), powers: PowersOfPhi()}
	b.body = b.block().Base
	b.Hash.High(b.product)
	fn.MOVL(U32(1), b.one.As32())
	return b
}

// set sets the bit of one of eight probes.
func (b *bitByBit) set(probe int) {
	fn, word, bit := b.Fn, b.Fn.GP64(), b.Fn.GP64()
	if probe == 0 {
		fn.MOVL(b.product.As32(), word.As32())
	} else {
		fn.IMUL3L(I32(int32(b.powers[probe])), b.product.As32(), word.As32())
	}
	fn.RORXL(U8(23), word.As32(), bit.As32())
	fn.SHRL(U8(29), word.As32())
	fn.SHLXQ(bit, b.one, bit)
	fn.ORQ(bit, Mem{Base: b.body, Index: word, Scale: 8})
}

// fastLocalAddIfAbsent256 is for any number of probes.
func fastLocalAddIfAbsent256(f *kernel.File) {
	s := newAddByRows(f, "fastLocalAddIfAbsentAVX2", addIfAbsent, "AddIfAbsent, at AVX2 and beyond.")
	block := s.block()
	s.replaceAndCompare(block, s.gather(block))
}

// replaceAndCompare stores a block's halves, and returns whether they differ from what was there.
func (s *Single) replaceAndCompare(block Mem, halves [2]reg.VecVirtual) {
	fn := s.Fn
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

// fastLocalAddAtOnce256 emits the kernels for up to six and up to eight probes that load and store a block once.
func fastLocalAddAtOnce256(f *kernel.File) {
	for i, most := range []string{"Six", "Eight"} {
		begin := func(name, signature, doc string) (_ *Single, block Mem, halves [2]reg.VecVirtual) {
			s := newAddSingle(f, kernel.AVX2, "fastLocal"+name+most+"AVX2", signature,
				doc+" of up to "+strings.ToLower(most)+" probes.")
			products, room := s.Fn.YMM(), s.Fn.Address(s.Fn.Return("room").Index(0))
			block = s.block()
			s.High(products)
			s.Fn.VPMULLD(s.Field("eight"), products, products)
			r := NewRows256(s.Fn)
			r.Store(products, room)
			halves = r.halves(block)
			for probe := range 6 + 2*i {
				r.set(room.Offset(4*probe), halves)
			}
			return s, block, halves
		}
		s, block, halves := begin("AddAtOnce", add, "Add")
		for half, y := range halves {
			s.Fn.VMOVDQU(y, block.Offset(RowBytes*half))
		}
		s.Fn.VZEROUPPER()
		s.Fn.RET()
		s, block, halves = begin("AddIfAbsent", addIfAbsent, "AddIfAbsent")
		s.replaceAndCompare(block, halves)
	}
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
