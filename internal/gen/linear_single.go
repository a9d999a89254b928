package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A linearKey is a key that is looked up in a linear filter.
type linearKey struct {
	hash, shape reg.GPVirtual
	line        reg.GPVirtual // the address of its line
	seed        reg.GPVirtual
	word        reg.GPVirtual // what fingerprints and the tail's rows are taken from
}

// linearFrom is where a kernel for one key gets its filter from.
type linearFrom struct{ shape, body, lines, layers reg.GPVirtual }

func newLinearFrom(fn *kernel.Function) linearFrom {
	return linearFrom{fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()}
}

// linearSingle256 looks up one key in a prepared filter. Its shape is nil where it has no
// layers, or the processor has no AVX2.
func linearSingle256(f *kernel.File) {
	const structure = "Linear"
	fn := f.Function(kernel.AVX2, "linearContains", "func(f *Linear, hash uint64) bool",
		"linearContains is Contains of a filter.")
	filter, from := fn.Load(fn.Param("f"), fn.GP64()), newLinearFrom(fn)
	fn.MOVQ(fn.Field(filter, structure, "shape"), from.shape)
	fn.TESTQ(from.shape, from.shape)
	fn.JZ(LabelRef("other"))
	fn.MOVQ(fn.Field(filter, structure, "layers"), from.layers)
	fn.MOVQ(fn.Field(filter, structure, "body"), from.body)
	fn.LEAQ(fn.Field(filter, structure, "lines"), from.lines)
	from.lookUp(fn)
	fn.Label("other")
	fn.TailCall("linearContainsOther")
}

// linearData256 checks a filter's bytes, and looks up one key.
func linearData256(f *kernel.File) {
	fn := f.Function(kernel.AVX2, "linearDataContains", "func(data *byte, size int, hash uint64) (contains, ok bool)",
		"linearDataContains is Contains of a filter's bytes. They are not ok if they are not those of",
		"a filter with layers.")
	ok := fn.Address(fn.Return("ok"))
	data, size, end, least := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.Load(fn.Param("data"), data)
	fn.Load(fn.Param("size"), size)
	fn.MOVB(U8(0), ok)
	fn.MOVB(U8(0), fn.Address(fn.Return("contains")))
	const endBytes, layerBytes, maxLayers, shapes = 8, 4, 16, 32
	fn.SUBQ(U8(endBytes), size)
	fn.JCS(LabelRef("flawed"))

	fn.Comment("The end of the trailer, and the shape of the lines.")
	from := newLinearFrom(fn)
	bits, marks := fn.GP64(), fn.GP64()
	fn.MOVQ(Mem{Base: data, Index: size, Scale: 1}, end)
	fn.MOVBLZX(end.As8(), bits.As32())
	fn.SHRQ(U8(8), end)
	fn.MOVBLZX(end.As8(), from.layers.As32())
	fn.SHRQ(U8(8), end)
	fn.MOVQ(U64(linearMarks), marks)
	fn.CMPQ(end, marks)
	fn.JNE(LabelRef("flawed"))
	fn.CMPL(bits.As32(), U8(shapes))
	fn.JCC(LabelRef("flawed"))
	fn.LEAQ(fn.Variable("linearShapes"), from.shape)
	fn.IMUL3Q(U32(fn.Size("linearShape")), bits, bits)
	fn.ADDQ(bits, from.shape)
	fn.CMPQ(fn.Field(from.shape, "linearShape", "loads"), U8(0))
	fn.JE(LabelRef("flawed")) // a shape that the format does not have

	fn.Comment("The layers must be the lines before them.")
	sum, layer, at := fn.GP64(), fn.GP64(), fn.GP64()
	fn.LEAQ(Mem{Base: from.layers, Disp: -1}, least)
	fn.CMPL(least.As32(), U8(maxLayers))
	fn.JCC(LabelRef("flawed"))
	fn.MOVQ(from.layers, least)
	fn.SHLQ(U8(2), least)
	fn.SUBQ(least, size)
	fn.JCS(LabelRef("flawed"))
	fn.LEAQ(Mem{Base: data, Index: size, Scale: 1}, from.lines)
	fn.MOVQ(from.layers, at)
	fn.XORQ(sum, sum)
	fn.Label("sum")
	fn.MOVL(Mem{Base: from.lines, Index: at, Scale: layerBytes, Disp: -layerBytes}, layer.As32())
	fn.TESTL(layer.As32(), layer.As32())
	fn.JZ(LabelRef("flawed"))
	fn.ADDQ(layer, sum)
	fn.DECQ(at)
	fn.JNZ(LabelRef("sum"))
	fn.MOVQ(sum, layer)
	fn.SHRQ(U8(32), layer)
	fn.JNZ(LabelRef("flawed"))
	fn.SHLQ(U8(6), sum)
	fn.CMPQ(sum, size)
	fn.JNE(LabelRef("flawed"))
	fn.MOVB(U8(1), ok)
	fn.MOVQ(data, from.body)
	from.lookUp(fn)
	fn.Label("flawed")
	fn.RET()
}

// linearMarks are the last six bytes of a filter: version 1, 0x80, and the name.
const linearMarks = 0x31464c4c_80_01

// lookUp looks the hash up in one layer after the other, and returns.
func (from linearFrom) lookUp(fn *kernel.Function) {
	k := linearKey{hash: fn.GP64(), shape: from.shape, line: fn.GP64(), seed: fn.GP64(), word: fn.GP64()}
	fn.Load(fn.Param("hash"), k.hash)
	answer := fn.Address(fn.ReturnIndex(0))

	fn.Label("layer")
	number, order, threshold, most := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVL(Mem{Base: from.lines}, number.As32())
	fn.MOVL(k.hash.As32(), order.As32())
	fn.IMULQ(number, order)
	fn.SHRQ(U8(26), order)
	fn.MOVQ(order, k.line)
	fn.ANDQ(I8(-64), k.line)
	fn.ADDQ(from.body, k.line)
	fn.MOVBLZX(Mem{Base: k.line, Disp: lineBytes - 1}, k.seed.As32())
	fn.ANDL(U8(63), order.As32())
	fn.MOVL(U32(62), most.As32())
	fn.CMPL(order.As32(), most.As32())
	fn.CMOVLHI(most.As32(), order.As32())
	fn.MOVL(k.seed.As32(), threshold.As32())
	fn.SHRL(U8(2), threshold.As32())
	fn.CMPL(order.As32(), threshold.As32())
	fn.JCS(LabelRef("bumped"))

	sum := k.planes(fn)
	k.fingerprint(fn, sum)
	k.tail(fn, sum)
	fn.TESTL(sum.As32(), fn.Field(k.shape, "linearShape", "fingerprint"))
	fn.SETEQ(answer)
	fn.VZEROUPPER()
	fn.RET()

	fn.Label("bumped")
	next := fn.GP64()
	fn.MOVQ(U64(linearNext), next)
	fn.IMULQ(next, k.hash)
	fn.RORQ(U8(32), k.hash)
	fn.SHLQ(U8(6), number)
	fn.ADDQ(number, from.body)
	fn.ADDQ(U8(4), from.lines)
	fn.DECQ(from.layers)
	fn.JNZ(LabelRef("layer"))
	fn.MOVB(U8(1), answer) // bumped from the last layer
	fn.RET()
}

// planes adds the slots of the planes that are in the row: the low bits of the sum are the
// columns'. Bits above are anything.
func (k *linearKey) planes(fn *kernel.Function) (sum reg.GPVirtual) {
	field := func(name string) Mem { return fn.Field(k.shape, "linearShape", name) }
	row, high := fn.GP64(), fn.GP64()
	fn.ANDL(U8(3), k.seed.As32())
	fn.MOVQ(k.hash, high)
	fn.SHRQ(U8(32), high)
	fn.MOVQ(field("seeds").Idx(k.seed, 8), row)
	fn.IMULQ(high, row)
	bytes := [2]reg.VecVirtual{fn.YMM(), fn.YMM()}
	rows, low, table := fn.YMM(), fn.YMM(), fn.YMM()
	fn.VMOVQ(row, rows.AsX())
	fn.VPBROADCASTQ(rows.AsX(), rows)
	fn.VPBROADCASTQ(fn.Words("lowHalves", lowHalves), low)
	odd := parityTable()
	fn.VMOVDQU(fn.Words("parityOfFour", odd[:]...), table)
	var masks [2]reg.GPVirtual
	for i, b := range bytes {
		upper := fn.YMM()
		masks[i] = fn.GP64()
		fn.VPSHUFB(field("spread").Offset(32*i), rows, b)
		fn.VPAND(Mem{Base: k.line, Disp: 32 * i}, b, b)
		fn.VPSRLW(U8(4), b, upper)
		fn.VPXOR(upper, b, b)
		fn.VPAND(low, b, b)
		fn.VPSHUFB(b, table, b)
		fn.VPMOVMSKB(b, masks[i].As32())
	}
	sum = masks[0]
	fn.SHLQ(U8(32), masks[1])
	fn.ORQ(masks[1], sum)
	planes, shift, shifted := fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVQ(field("planes"), planes)
	fn.MOVQ(field("bits"), shift)
	fn.CMPQ(planes, U8(2))
	fn.JLS(LabelRef("few"))
	fn.LEAQ(Mem{Base: shift, Index: shift, Scale: 1}, shifted)
	fn.CMPQ(planes, U8(4))
	fn.JLS(LabelRef("some"))
	fn.ADDQ(shifted, shifted)
	fn.SHRXQ(shifted, sum, shifted)
	fn.XORQ(shifted, sum)
	fn.LEAQ(Mem{Base: shift, Index: shift, Scale: 1}, shifted)
	fn.Label("some")
	fn.SHRXQ(shifted, sum, shifted)
	fn.XORQ(shifted, sum)
	fn.Label("few")
	fn.SHRXQ(shift, sum, shifted)
	fn.XORQ(shifted, sum)
	return sum
}

// fingerprint adds the key's fingerprint.
func (k *linearKey) fingerprint(fn *kernel.Function, sum reg.GPVirtual) {
	high, low, constant := fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVQ(k.hash, high)
	fn.SHRQ(U8(32), high)
	fn.MOVL(U32(linearHigh), constant.As32())
	fn.IMULQ(constant, high)
	fn.MOVL(U32(linearLow), low.As32())
	fn.IMULQ(k.hash, low)
	fn.SHLQ(U8(32), low)
	fn.XORQ(low, high)
	fn.MOVQ(high, k.word)
	top := fn.GP64()
	fn.MOVQ(fn.Field(k.shape, "linearShape", "top"), top)
	fn.SHRXQ(top, high, high)
	fn.XORQ(high, sum)
}

// tail adds the slots of the tail that are in the row: each of them is brought to a
// doubleword, those from the fifth on from bytes further ahead.
func (k *linearKey) tail(fn *kernel.Function, sum reg.GPVirtual) {
	field := func(name string) Mem { return fn.Field(k.shape, "linearShape", name) }
	fn.CMPQ(field("tail"), U8(0))
	fn.JE(LabelRef("noTail"))
	row, rows, slots, half, added := fn.GP64(), fn.YMM(), fn.YMM(), fn.XMM(), fn.GP64()
	fn.SHLL(U8(3), k.seed.As32())
	fn.SHRXQ(k.seed, k.word, row)
	fn.VMOVD(row.As32(), rows.AsX())
	fn.VPBROADCASTD(rows.AsX(), rows)
	each := fn.YMM()
	fn.VMOVDQU(fn.Words("eachSlot", 1|2<<32, 4|8<<32, 16|32<<32, 64|128<<32), each)
	fn.VPAND(each, rows, rows)
	fn.VPCMPEQD(each, rows, rows)
	fn.VMOVDQU(Mem{Base: k.line, Disp: 48}, slots.AsX())
	fn.VINSERTI128(U8(1), Mem{Base: k.line, Disp: 46}, slots, slots)
	fn.VPSHUFB(field("tailBytes"), slots, slots)
	fn.VPSRLVD(field("tailShifts"), slots, slots)
	fn.VPAND(rows, slots, slots)
	fn.VEXTRACTI128(U8(1), slots, half)
	fn.VPXOR(slots.AsX(), half, half)
	fn.VPSHUFD(U8(0b01_00_11_10), half, slots.AsX())
	fn.VPXOR(slots.AsX(), half, half)
	fn.VMOVQ(half, added)
	fn.XORQ(added, sum)
	fn.SHRQ(U8(32), added)
	fn.XORQ(added, sum)
	fn.Label("noTail")
}
