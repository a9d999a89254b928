package sliced

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

const (
	sources   = 32 // of 8 bytes, which are transposed together, to 64 of 4 bytes
	wordBytes = 8
)

// A transposition makes bit j of source i bit i of result j.
type transposition struct {
	*kernel.Function
	bytes reg.GPVirtual // room for a vector for each byte of a source: this byte of all sources
}

// Bodies emits the kernels that make bodies columns and columns bodies. They use the same vectors at AVX-512.
func Bodies(f *kernel.File) {
	fn := f.Function(kernel.AVX2, "slicePiece", "func(tile *byte, stride int, bodies *[32]*byte, words int, mask uint32)",
		"slicePiece makes the first words of 32 bodies, at least one word, 32 columns of 64 rows for each word. The rows are",
		"stride bytes apart. Columns whose bits in the mask are not set stay as they are.")
	t := begin(fn)
	row, stride, bodies := t.param("tile"), t.param("stride"), t.param("bodies")
	at, mask, three, fourth := fn.GP64(), fn.GP32(), fn.GP64(), fn.GP64()
	fn.MOVL(fn.Address(fn.Param("mask")), mask)
	fn.XORL(at.As32(), at.As32())
	fn.LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, three)
	fn.Label("words")
	body := fn.GP64()
	t.gather(func(i int) Mem {
		fn.MOVQ(Mem{Base: bodies, Disp: 8 * i}, body)
		return Mem{Base: body, Index: at, Scale: 1}
	})
	fn.LEAQ(Mem{Base: row, Index: stride, Scale: 4}, fourth)
	t.each(func(bit int, result reg.GPVirtual) {
		m := []Mem{{Base: row}, {Base: row, Index: stride, Scale: 1}, {Base: row, Index: stride, Scale: 2}, {Base: row, Index: three, Scale: 1}}[bit%4]
		if bit >= 4 {
			m.Base = fourth
		}
		fn.XORL(m, result.As32())
		fn.ANDL(mask, result.As32())
		fn.XORL(result.As32(), m)
	}, func() {
		fn.LEAQ(Mem{Base: row, Index: stride, Scale: 8}, row)
		fn.LEAQ(Mem{Base: fourth, Index: stride, Scale: 8}, fourth)
	})
	fn.ADDQ(U8(wordBytes), at)
	fn.DECQ(fn.Address(fn.Param("words")))
	fn.JNZ(LabelRef("words"))
	fn.VZEROUPPER()
	fn.RET()

	fn = f.Function(kernel.AVX2, "unslicePiece", "func(bodies *[64]*byte, tile *byte, stride int, halves int)",
		"unslicePiece is the reverse of slicePiece, for 64 bodies, and half a word of each at a time.")
	t = begin(fn)
	row, stride, bodies = t.param("tile"), t.param("stride"), t.param("bodies")
	at, results := fn.GP64(), fn.GP64()
	var eights [4]reg.GPVirtual // of rows
	fn.XORL(at.As32(), at.As32())
	fn.Label("halves")
	for i := range eights {
		eights[i] = fn.GP64()
		fn.MOVQ(row, eights[i])
		fn.LEAQ(Mem{Base: row, Index: stride, Scale: 8}, row)
	}
	t.gather(func(i int) Mem {
		m := Mem{Base: eights[i/8]}
		if i%8 > 0 {
			fn.ADDQ(stride, m.Base)
		}
		return m
	})
	fn.MOVQ(bodies, results)
	t.each(func(bit int, result reg.GPVirtual) {
		body := fn.GP64()
		fn.MOVQ(Mem{Base: results, Disp: 8 * bit}, body)
		fn.MOVL(result.As32(), Mem{Base: body, Index: at, Scale: 1})
	}, func() { fn.ADDQ(U8(8*8), results) })
	fn.ADDQ(U8(wordBytes/2), at)
	fn.DECQ(fn.Address(fn.Param("halves")))
	fn.JNZ(LabelRef("halves"))
	fn.VZEROUPPER()
	fn.RET()
}

func begin(fn *kernel.Function) transposition {
	t := transposition{fn, fn.GP64()}
	shared.Room(fn, wordBytes*sources, t.bytes)
	return t
}

func (t transposition) param(name string) reg.GPVirtual {
	return t.Load(t.Param(name), t.GP64()).(reg.GPVirtual)
}

// gather emits the loads of the sources, in the order 0, 8, 16, 24, 1, 9, and stores the vectors of bytes. Interleaving
// the first half of the bytes with the second one moves the highest bit of their numbers to the lowest place. Doing so
// four times moves the number of one of 16 sources there, from above the number of a byte of it.
func (t transposition) gather(source func(i int) Mem) {
	var v [8]reg.VecVirtual
	for i := range v {
		var halves [2]reg.VecVirtual
		for half := range halves {
			a, b := t.YMM(), t.YMM()
			t.VPBROADCASTQ(source(16*half+i), a)
			t.VPBROADCASTQ(source(16*half+i+8), b)
			t.VPUNPCKLBW(b, a, a)
			halves[half] = a
		}
		v[i] = halves[0]
		t.VPBLENDD(U8(0xf0), halves[1], v[i], v[i])
	}
	for range 3 {
		var next [8]reg.VecVirtual
		for i := range 4 {
			next[2*i], next[2*i+1] = t.YMM(), t.YMM()
			t.VPUNPCKLBW(v[i+4], v[i], next[2*i])
			t.VPUNPCKHBW(v[i+4], v[i], next[2*i+1])
		}
		v = next
	}
	for i := range v {
		t.VMOVDQA(v[i], Mem{Base: t.bytes, Disp: sources * i})
	}
}

// each emits a loop over the eight bytes of sources, with the results of each bit, and with what is between
// the bytes.
func (t transposition) each(store func(bit int, result reg.GPVirtual), next func()) {
	n, y := t.GP64(), t.YMM()
	t.XORL(n.As32(), n.As32())
	t.Label("bytes")
	t.VMOVDQA(Mem{Base: t.bytes, Index: n, Scale: 1}, y)
	for bit := 7; bit >= 0; bit-- {
		result := t.GP64()
		t.VPMOVMSKB(y, result.As32())
		store(bit, result)
		if bit > 0 {
			t.VPADDB(y, y, y)
		}
	}
	next()
	t.ADDL(U8(sources), n.As32())
	t.CMPL(n.As32(), U32(wordBytes*sources))
	t.JNE(LabelRef("bytes"))
}
