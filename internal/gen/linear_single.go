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

// linearSingle looks up one key in a prepared filter, which has a layer at least.
func linearSingle(f *kernel.File, level kernel.Level, name string, planes linearPlanes) {
	fn := f.Entry(level, name, contains)
	from, field := newLinearFrom(fn), fieldOf(fn, prepared)
	fn.MOVQ(field("linear"), from.shape)
	fn.MOVQ(field("layers"), from.layers)
	fn.MOVQ(field("body"), from.body)
	fn.LEAQ(field("lines"), from.lines)
	from.lookUp(fn, planes)
}

// linearData checks a filter's bytes, and looks up one key.
func linearData(f *kernel.File, level kernel.Level, name string, planes linearPlanes) {
	fn := f.Function(level, name, "func(data *byte, size int, hash uint64) (contains, ok bool)",
		name+" is Contains of a filter's bytes. They are not ok if they are not those of a",
		"filter with layers.")
	ok := fn.Address(fn.Return("ok"))
	data, size, end := fn.GP64(), fn.GP64(), fn.GP64()
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
	before, bytes := fn.GP64(), fn.GP64() // the number of layers, less one and in bytes
	fn.LEAQ(Mem{Base: from.layers, Disp: -1}, before)
	fn.CMPL(before.As32(), U8(maxLayers))
	fn.JCC(LabelRef("flawed"))
	fn.MOVQ(from.layers, bytes)
	fn.SHLQ(U8(2), bytes)
	fn.SUBQ(bytes, size)
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
	from.lookUp(fn, planes)
	fn.Label("flawed")
	fn.RET()
}

// linearMarks are the last six bytes of a filter: version 1, 0x80, and the name.
const linearMarks = 0x31464c4c_80_01

// linearPlanes adds the slots of the planes that are in a key's row: bit pR+j is bit j of
// plane p's sum.
type linearPlanes func(k *linearKey, fn *kernel.Function) reg.GPVirtual

// lookUp looks the hash up in one layer after the other, and returns.
func (from linearFrom) lookUp(fn *kernel.Function, planes linearPlanes) {
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

	sum := planes(&k, fn)
	k.addPlanes(fn, sum)
	k.fingerprint(fn, sum)
	k.tail(fn, sum)
	fn.TESTL(sum.As32(), k.field(fn, "fingerprint"))
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

func (k *linearKey) field(fn *kernel.Function, name string) Mem {
	return fn.Field(k.shape, "linearShape", name)
}

// row returns the key's row, in whole bytes of the product.
func (k *linearKey) row(fn *kernel.Function) reg.GPVirtual {
	row, high := fn.GP64(), fn.GP64()
	fn.ANDL(U8(3), k.seed.As32())
	fn.MOVQ(k.hash, high)
	fn.SHRQ(U8(32), high)
	fn.MOVQ(k.field(fn, "seeds").Idx(k.seed, 8), row)
	fn.IMULQ(high, row)
	return row
}

func (k *linearKey) planes512(fn *kernel.Function) reg.GPVirtual {
	bytes, ones, mask, sum := fn.ZMM(), fn.ZMM(), fn.K(), fn.GP64()
	fn.VPBROADCASTQ(k.row(fn), bytes)
	fn.VPBROADCASTQ(fn.Words("allBits", 0xff), ones)
	fn.VPSHUFB(k.field(fn, "spread"), bytes, bytes)
	fn.VPANDQ(Mem{Base: k.line}, bytes, bytes)
	fn.VGF2P8AFFINEQB(U8(0), ones, bytes, bytes) // bit 7 is the parity
	fn.VPMOVB2M(bytes, mask)
	fn.KMOVQ(mask, sum)
	return sum
}

func (k *linearKey) planes256(fn *kernel.Function) reg.GPVirtual {
	rows, low, table := fn.YMM(), fn.YMM(), fn.YMM()
	fn.VMOVQ(k.row(fn), rows.AsX())
	fn.VPBROADCASTQ(rows.AsX(), rows)
	fn.VPBROADCASTQ(fn.Words("lowHalves", lowHalves), low)
	odd := parityTable()
	fn.VMOVDQU(fn.Words("parityOfFour", odd[:]...), table)
	var masks [2]reg.GPVirtual
	for i := range masks {
		b, upper := fn.YMM(), fn.YMM()
		masks[i] = fn.GP64()
		fn.VPSHUFB(k.field(fn, "spread").Offset(32*i), rows, b)
		fn.VPAND(Mem{Base: k.line, Disp: 32 * i}, b, b)
		fn.VPSRLW(U8(4), b, upper)
		fn.VPXOR(upper, b, b)
		fn.VPAND(low, b, b)
		fn.VPSHUFB(b, table, b)
		fn.VPMOVMSKB(b, masks[i].As32())
	}
	fn.SHLQ(U8(32), masks[1])
	fn.ORQ(masks[1], masks[0])
	return masks[0]
}

// addPlanes adds the planes' sums: up to eight, five or more of up to 12 bits, three or more
// of up to 21. Bits above the first one's are anything afterwards.
func (k *linearKey) addPlanes(fn *kernel.Function, sum reg.GPVirtual) {
	planes, one, shift := fn.GP64(), fn.GP64(), fn.GP64()
	fold := func(by reg.GPVirtual) {
		shifted := fn.GP64()
		fn.SHRXQ(by, sum, shifted)
		fn.XORQ(shifted, sum)
	}
	fn.MOVQ(k.field(fn, "planes"), planes)
	fn.MOVQ(k.field(fn, "bits"), one)
	fn.CMPQ(planes, U8(2))
	fn.JLS(LabelRef("two"))
	fn.LEAQ(Mem{Base: one, Index: one, Scale: 1}, shift)
	fn.CMPQ(planes, U8(4))
	fn.JLS(LabelRef("four"))
	fn.ADDQ(shift, shift)
	fold(shift)
	fn.SHRQ(U8(1), shift)
	fn.Label("four")
	fold(shift)
	fn.Label("two")
	fold(one)
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
	fn.MOVQ(k.field(fn, "top"), top)
	fn.SHRXQ(top, high, high)
	fn.XORQ(high, sum)
}

// tail adds the slots of the tail that are in the row: each of them is brought to a
// doubleword, those from the fifth on from bytes further ahead.
func (k *linearKey) tail(fn *kernel.Function, sum reg.GPVirtual) {
	fn.CMPQ(k.field(fn, "tail"), U8(0))
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
	fn.VPSHUFB(k.field(fn, "tailBytes"), slots, slots)
	fn.VPSRLVD(k.field(fn, "tailShifts"), slots, slots)
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
