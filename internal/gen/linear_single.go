package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

var (
	preparedLinear = source{"", "func(f *Linear, hash uint64) bool", "Linear", false}
	linearBytes    = source{"Bytes", "func(s *linearShape, body, lines *byte, layers int, hash uint64) bool", "", false}
)

// A linearKey is a key that is looked up in a linear filter.
type linearKey struct {
	hash, shape reg.GPVirtual
	line        reg.GPVirtual // the address of its line
	seed        reg.GPVirtual
	word        reg.GPVirtual // what fingerprints and the tail's rows are taken from
}

// linearSingle256 looks up one key, in one layer after the other. The shape is nil where a
// filter has no layers, or the processor has no AVX2.
func linearSingle256(f *kernel.File, from source) {
	const name = "linearContains"
	fn := f.Function(kernel.AVX2, name+from.suffix, from.signature, name+from.suffix+" is Contains of a filter.")
	k := linearKey{hash: fn.GP64(), shape: fn.GP64(), line: fn.GP64(), seed: fn.GP64(), word: fn.GP64()}
	body, lines, layers := fn.GP64(), fn.GP64(), fn.GP64()
	if from.prepared != "" {
		filter := fn.Load(fn.Param("f"), fn.GP64())
		fn.MOVQ(fn.Field(filter, from.prepared, "shape"), k.shape)
		fn.TESTQ(k.shape, k.shape)
		fn.JZ(LabelRef("other"))
		fn.MOVQ(fn.Field(filter, from.prepared, "layers"), layers)
		fn.MOVQ(fn.Field(filter, from.prepared, "body"), body)
		fn.LEAQ(fn.Field(filter, from.prepared, "lines"), lines)
	} else {
		fn.Load(fn.Param("s"), k.shape)
		fn.Load(fn.Param("layers"), layers)
		fn.Load(fn.Param("body"), body)
		fn.Load(fn.Param("lines"), lines)
	}
	fn.Load(fn.Param("hash"), k.hash)
	answer := fn.Address(fn.ReturnIndex(0))

	fn.Label("layer")
	number, order, threshold, most := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	fn.MOVL(Mem{Base: lines}, number.As32())
	fn.MOVL(k.hash.As32(), order.As32())
	fn.IMULQ(number, order)
	fn.SHRQ(U8(26), order)
	fn.MOVQ(order, k.line)
	fn.ANDQ(I8(-64), k.line)
	fn.ADDQ(body, k.line)
	fn.MOVBLZX(Mem{Base: k.line, Disp: 63}, k.seed.As32())
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
	fn.ADDQ(number, body)
	fn.ADDQ(U8(4), lines)
	fn.DECQ(layers)
	fn.JNZ(LabelRef("layer"))
	fn.MOVB(U8(1), answer)
	fn.RET()
	if from.prepared != "" {
		fn.Label("other")
		fn.TailCall(name + "Other")
	}
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
