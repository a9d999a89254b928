package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// near looks up one key in both of the first two layers, which have a main section each, and takes what the first one
// says, or the second one of a bumped key: nobody predicts which keys were bumped, but a twentieth at most are in
// another section, or bumped by both layers. Those are looked up by the other kernel.
//
// It prefetches both lines, because it knows later than a prediction would which one it is.
func near(f *kernel.File, level kernel.Level, name, other string) {
	fn := f.Entry(level, name, shared.Contains)
	own := fn.GP64()
	fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "own"), own)
	field := func(name string) Mem { return fn.Field(own, "linearFilter", name) }
	first := newKey(fn, level)
	first.mix()
	headers, thresholds, sums := fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVQ(field("headers"), headers)
	fn.MOVQ(field("thresholds"), thresholds)
	firstOrder, order := fn.GP64(), fn.GP64()
	place := func(k *key, layer int, order reg.GPVirtual) {
		main := func(name string) Mem {
			return field("mains").Offset(layer*fn.Size("linearMain") + fn.Field(own, "linearMain", name).Disp)
		}
		fn.MOVL(k.hash.As32(), k.line.As32())
		fn.CMPQ(k.line, main("width"))
		fn.JCC(LabelRef("other"))
		fn.IMULQ(main("multiplier"), k.line)
		if layer > 0 {
			fn.ADDQ(main("place"), k.line)
		}
		fn.MOVL(k.line.As32(), order.As32())
		fn.SHRQ(U8(32), k.line)
		fn.MOVBLZX(Mem{Base: headers, Index: k.line, Scale: 1}, k.header.As32())
		fn.SHLQ(U8(6), k.line)
		fn.ADDQ(field("lines"), k.line)
		fn.PREFETCHT0(Mem{Base: k.line})
	}
	place(first, 0, firstOrder)
	k := newKey(fn, level)
	fn.MOVQ(first.hash, k.hash)
	k.next()
	place(k, 1, order)
	fn.CMPQ(firstOrder, Mem{Base: thresholds, Index: first.header, Scale: 8})
	fn.CMOVQCC(first.header, k.header)
	fn.CMOVQCC(first.hash, k.hash)
	fn.CMOVQCC(first.line, k.line)
	fn.CMOVQCC(firstOrder, order)
	fn.CMPQ(order, Mem{Base: thresholds, Index: k.header, Scale: 8})
	fn.JCS(LabelRef("other"))
	fn.MOVQ(field("mainShape"), k.shape)
	fn.MOVQ(k.field("sums.used"), sums)
	k.lookUp(sums)
	fn.Label("other")
	fn.MOVQ(fn.Address(fn.Param("k")), shared.Prepared)
	fn.TailCallEntry(other)
}
