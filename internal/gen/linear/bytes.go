package linear

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// The trailer of a linear filter: of each layer two multipliers, and eight bytes, which are the cut, the bits of
// a fingerprint, the number of layers, 0x80, and the name.
const (
	linearEndBytes  = 8
	linearMarks     = 0x32464c4c_80 // the last five
	maxLinearLayers = 16
	linearLineBytes = shared.LineBytes + 1 // with the header
)

// A trailer has the fields of the trailer that a kernel keeps.
type trailer struct {
	fn          *kernel.Function
	data, size  reg.GPVirtual     // of what is before the eight bytes, and then before the multipliers
	cut, number reg.GPVirtual     // 64ths, and layers
	shape       reg.GPVirtual     // of second sections
	multipliers reg.GPVirtual     // their address
	first       reg.OpmaskVirtual // which layers have first sections
	headers     reg.GPVirtual     // their address, from the size
	lines       reg.GPVirtual     // how many, from the multipliers
	key         *key
	sums        reg.GPVirtual // of the tail
}

// ofBytes checks all of the trailer of a filter's bytes before it reads others (with AVX-512, some of the
// bytes before it come along, and are masked), and looks up one key.
func ofBytes(f *kernel.File, level kernel.Level, name, doc, other string) {
	fn := f.Function(level, name, "func(data *byte, size int, hash uint64, other func(data []byte, hash uint64) bool) (found bool)", name+" is "+doc)
	var t *trailer
	if level == kernel.AVX512 {
		shared.UnlessLevel(fn, level)
		t = newTrailer(fn, layers512)
		t.first = fn.K()
		t.count512()
	} else {
		shared.UnlessFrom(fn, level)
		t = newTrailer(fn, maxLinearLayers)
		t.count256()
	}
	t.agree()
	t.lookUp(level)

	if level == kernel.AVX512 {
		t.lookUpAlone()
	}
	fn.Label("flawed")
	if level != kernel.AVX512 {
		fn.VZEROUPPER()
	}
	fn.Label("other")
	fn.TailCall(other)
}

// agree checks that the lines are what is before the multipliers.
func (t *trailer) agree() {
	fn, bytes := t.fn, t.fn.GP64()
	fn.MOVQ(t.lines, bytes)
	fn.SHLQ(U8(6), bytes)
	fn.ADDQ(t.lines, bytes)
	fn.CMPQ(bytes, t.size)
	fn.JNE(LabelRef("flawed"))
	fn.CMPQ(bytes, fn.Words("mostLinearBytes", (1<<32-1)*linearLineBytes))
	fn.JHI(LabelRef("flawed"))
}

// newTrailer checks all but the multipliers, in a filter of up to the given number of layers. What
// the lookup takes does not wait for the rest.
func newTrailer(fn *kernel.Function, layers int) *trailer {
	t := &trailer{
		fn: fn, cut: fn.GP64(), number: fn.GP64(), shape: fn.GP64(),
		multipliers: fn.GP64(), headers: fn.GP64(), lines: fn.GP64(),
	}
	var end Mem
	t.data, t.size, end = shared.Trailed(fn, linearEndBytes)
	fn.CMPQ(t.size, U8(linearLineBytes+8))
	fn.JLT(LabelRef("other"))
	marks, bits := fn.GP64(), fn.GP64()
	fn.MOVQ(end, marks)
	fn.MOVBLZX(marks.As8(), t.cut.As32())
	fn.SHRQ(U8(24), marks)
	fn.CMPQ(marks, fn.Words("linearMarks", linearMarks))
	fn.JNE(LabelRef("other"))
	fn.MOVBLZX(end.Offset(1), bits.As32())
	fn.CMPL(bits.As32(), U8(32))
	fn.JHI(LabelRef("other"))
	fn.IMUL3Q(U32(fn.Size("linearShape")), bits, bits)
	fn.LEAQ(fn.Variable("linearShapes"), t.shape)
	fn.ADDQ(bits, t.shape)
	fn.CMPQ(t.cut, fn.Field(t.shape, "linearShape", "cuts"))
	fn.JGE(LabelRef("other"))
	before := fn.GP64()
	fn.MOVBLZX(end.Offset(2), t.number.As32())
	fn.LEAL(Mem{Base: t.number, Disp: -1}, before.As32())
	fn.CMPL(before.As32(), U8(uint8(layers)))
	fn.JCC(LabelRef("other"))
	fn.MOVQ(t.number, before)
	fn.SHLQ(U8(3), before)
	fn.SUBQ(before, t.size)
	if 8*layers > linearLineBytes+8 {
		fn.JCS(LabelRef("other"))
	}
	fn.LEAQ(Mem{Base: t.data, Index: t.size, Scale: 1}, t.multipliers)
	low := fn.GP64()
	fn.MOVQ(t.size, reg.RDX)
	fn.MULXQ(fn.Words("linearLineth", 1<<64/linearLineBytes+1), low, low)
	fn.MOVQ(t.multipliers, t.headers)
	fn.SUBQ(low, t.headers)
	return t
}

// seconds512 has the multipliers of second sections.
var seconds512 = reg.Z18

// layers512 is how many layers' multipliers are in a vector.
const layers512 = 8

// count512 checks the multipliers, and counts the lines. A first section has a*j/64, rounded up, and a second
// one b-b*j/64, rounded so, too, where j is 0 without a first one.
func (t *trailer) count512() {
	fn := t.fn
	some, missing := fn.K(), fn.K()
	first := t.first
	cuts, firsts, seconds, lines := reg.Z16, reg.Z17, seconds512, reg.Z19
	const notLess = 5
	fn.VPBROADCASTQ(t.number, lines)
	fn.VPCMPUQ(U8(notLess), fn.Words("eightToOne", 8, 7, 6, 5, 4, 3, 2, 1), lines, some)
	// The load ends with the multipliers: masked loads take long where a page is missing behind the trailer.
	fn.VMOVDQU64_Z(Mem{Base: t.multipliers, Index: t.number, Scale: 8, Disp: -8 * layers512}, some, firsts)
	fn.VPTESTMQ_BCST(fn.Words("lowDoubleword", 1<<32-1), firsts, first)
	fn.VPSRLQ(U8(32), firsts, seconds)
	fn.VPTESTNMQ(seconds, seconds, some, missing)
	fn.KORTESTB(missing, missing)
	fn.JNE(LabelRef("other"))
	fn.TESTL(t.cut.As32(), t.cut.As32())
	fn.JEQ(LabelRef("one"))
	fn.VPBROADCASTQ(t.cut, cuts)
	fn.VPMULUDQ(cuts, firsts, firsts)
	fn.VPADDQ_BCST(fn.Words("sixtyThree", 63), firsts, firsts)
	fn.VPSRLQ(U8(6), firsts, firsts)
	fn.VPMULUDQ_Z(cuts, seconds, first, cuts)
	fn.VPSRLQ(U8(6), cuts, cuts)
	fn.VPADDQ(firsts, seconds, lines)
	fn.VPSUBQ(cuts, lines, lines)
	t.sum512(lines)
}

// sum512 adds the words of a vector.
func (t *trailer) sum512(lines reg.VecPhysical) {
	fn, half := t.fn, reg.Z20
	fn.VEXTRACTI64X4(U8(1), lines, half.AsY())
	fn.VPADDQ(half.AsY(), lines.AsY(), lines.AsY())
	fn.VEXTRACTI64X2(U8(1), lines.AsY(), half.AsX())
	fn.VPADDQ(half.AsX(), lines.AsX(), lines.AsX())
	fn.VPSHUFD(U8(0b01_00_11_10), lines.AsX(), half.AsX())
	fn.VPADDQ(half.AsX(), lines.AsX(), lines.AsX())
	fn.VMOVQ(lines.AsX(), t.lines)
}

// count256 does so for all layers, four at a time.
func (t *trailer) count256() {
	fn := t.fn
	at, left, flaws := fn.GP64(), t.number, fn.GP64()
	vector := func() reg.VecVirtual { return fn.YMM() }
	broadcast := func(word reg.GPVirtual) reg.VecVirtual {
		v := fn.YMM()
		fn.VMOVQ(word, v.AsX())
		fn.VPBROADCASTQ(v.AsX(), v)
		return v
	}
	four := func(name string, word uint64) Mem { return fn.Words(name, slices.Repeat([]uint64{word}, 4)...) }
	sum, zero, missing, firsts := vector(), vector(), vector(), vector()
	fn.LEAQ(Mem{Base: t.multipliers, Index: t.number, Scale: 8}, at)
	cuts := broadcast(t.cut)
	fn.VPXOR(sum, sum, sum)
	fn.VPXOR(zero, zero, zero)
	fn.VPXOR(missing, missing, missing)
	fn.VPXOR(firsts, firsts, firsts)
	fn.Label("count")
	some := broadcast(left)
	both, first, second, none, shares := vector(), vector(), vector(), vector(), vector()
	fn.VPCMPGTQ(fn.Words("threeToZero", 3, 2, 1, 0), some, some)
	fn.VPMASKMOVQ(Mem{Base: at, Disp: -32}, some, both)
	fn.VPAND(four("lowDoublewords", 1<<32-1), both, first)
	fn.VPSRLQ(U8(32), both, second)
	fn.VPOR(first, firsts, firsts)
	fn.VPCMPEQQ(second, zero, none)
	fn.VPAND(some, none, none)
	fn.VPOR(none, missing, missing)
	fn.VPCMPEQQ(first, zero, none)
	fn.VPANDN(cuts, none, shares)
	fn.VPMULUDQ(cuts, first, first)
	fn.VPADDQ(four("sixtyThrees", 63), first, first)
	fn.VPSRLQ(U8(6), first, first)
	fn.VPADDQ(first, sum, sum)
	fn.VPADDQ(second, sum, sum)
	fn.VPMULUDQ(shares, second, second)
	fn.VPSRLQ(U8(6), second, second)
	fn.VPSUBQ(second, sum, sum)
	fn.SUBQ(U8(32), at)
	fn.SUBQ(U8(4), left)
	fn.JGT(LabelRef("count"))
	fn.VPMOVMSKB(missing, flaws.As32())
	fn.TESTL(flaws.As32(), flaws.As32())
	fn.JNE(LabelRef("flawed"))
	fn.TESTL(t.cut.As32(), t.cut.As32())
	fn.JNE(LabelRef("counted"))
	fn.VPTEST(firsts, firsts)
	fn.JNE(LabelRef("flawed"))
	fn.Label("counted")
	half := fn.XMM()
	fn.VEXTRACTI128(U8(1), sum, half)
	fn.VPADDQ(half, sum.AsX(), sum.AsX())
	fn.VPSHUFD(U8(0b01_00_11_10), sum.AsX(), half)
	fn.VPADDQ(half, sum.AsX(), sum.AsX())
	fn.VMOVQ(sum.AsX(), t.lines)
}

// lookUp looks the hash up in one layer after the other, and returns.
func (t *trailer) lookUp(level kernel.Level) {
	fn := t.fn
	k := newKey(fn, level)
	k.mix()
	before, behind := t.lines, fn.GP64() // lines before a section, and before the second one
	t.key, t.sums = k, fn.GP64()
	fn.XORL(before.As32(), before.As32())

	fn.Label("layer")
	multiplier, share, own := fn.GP64(), fn.GP64(), fn.GP64()
	first, second := Mem{Base: t.multipliers}, Mem{Base: t.multipliers, Disp: 4}
	fn.MOVL(first, multiplier.As32())
	t.shareOf(first, share)
	fn.MOVQ(multiplier, behind)
	t.linesOf(share, behind)
	fn.ADDQ(before, behind)
	fn.SHLL(U8(26), share.As32())
	fn.XORL(own.As32(), own.As32())
	fn.XORL(k.shape.As32(), k.shape.As32())
	fn.CMPL(k.hash.As32(), share.As32())
	fn.CMOVQCS(fn.Field(t.shape, "linearShape", "longer"), k.shape)
	fn.CMOVLCC(second, multiplier.As32())
	fn.CMOVQCC(behind, before)
	fn.CMOVLCC(share.As32(), own.As32())
	fn.ADDQ(t.shape, k.shape)
	fn.SUBQ(own, k.hash)
	t.place(multiplier, before)
	fn.JCC(LabelRef("bumped"))
	if level == kernel.AVX512 {
		fn.MOVQ(fn.Field(t.shape, "linearShape", "mostSums"), t.sums)
	} else {
		fn.MOVQ(fn.Field(t.shape, "linearShape", "sums.used"), t.sums)
		fn.TESTL(t.cut.As32(), t.cut.As32())
		fn.CMOVQNE(fn.Field(t.shape, "linearShape", "mostSums"), t.sums)
	}
	fn.Label("line")
	fn.SHLQ(U8(6), k.line)
	fn.ADDQ(fn.Address(fn.Param("data")), k.line)
	k.lookUp(t.sums)

	fn.Comment("The next layer.")
	fn.Label("bumped")
	k.next()
	rest := fn.GP64()
	t.shareOf(first, share)
	fn.MOVL(U32(64), rest.As32())
	fn.SUBQ(share, rest)
	fn.MOVL(second, before.As32())
	t.linesOf(rest, before)
	fn.ADDQ(behind, before)
	t.nextLayer("layer")
	fn.Label("last")
	fn.MOVB(U8(1), fn.Answer()) // bumped from the last layer
	if level != kernel.AVX512 {
		fn.VZEROUPPER()
	}
	fn.RET()
}

// lookUpAlone emits the rest of the lookup for layers that all have one section.
func (t *trailer) lookUpAlone() {
	fn, k, before, multiplier := t.fn, t.key, t.lines, t.fn.GP64()
	fn.Comment("Layers of one section.")
	fn.Label("one")
	fn.KORTESTB(t.first, t.first)
	fn.JNE(LabelRef("flawed"))
	t.sum512(seconds512)
	t.agree()
	k.mix()
	fn.XORL(before.As32(), before.As32())
	fn.MOVQ(t.shape, k.shape)
	fn.Label("section")
	fn.MOVL(Mem{Base: t.multipliers, Disp: 4}, multiplier.As32())
	t.place(multiplier, before)
	fn.MOVQ(fn.Field(t.shape, "linearShape", "sums.used"), t.sums)
	fn.JCS(LabelRef("line"))
	k.next()
	fn.ADDQ(multiplier, before)
	t.nextLayer("section")
	fn.JMP(LabelRef("last"))
}

// place finds the key's line and header. It carries unless the key was bumped.
func (t *trailer) place(multiplier, before reg.GPVirtual) {
	fn, k, order := t.fn, t.key, t.fn.GP64()
	fn.MOVL(k.hash.As32(), k.line.As32())
	fn.IMULQ(multiplier, k.line)
	fn.MOVL(k.line.As32(), order.As32())
	fn.SHRQ(U8(32), k.line)
	fn.ADDQ(before, k.line)
	fn.MOVBLZX(Mem{Base: t.headers, Index: k.line, Scale: 1}, k.header.As32())
	k.compare(order)
}

// nextLayer jumps to the label if there is a layer more.
func (t *trailer) nextLayer(label string) {
	end := t.fn.GP64()
	t.fn.ADDQ(U8(8), t.multipliers)
	t.fn.Load(t.fn.Param("data"), end)
	t.fn.ADDQ(t.fn.Address(t.fn.Param("size")), end)
	t.fn.SUBQ(U8(linearEndBytes), end)
	t.fn.CMPQ(t.multipliers, end)
	t.fn.JCS(LabelRef(label))
}

// shareOf finds how many 64ths of the hashes are in a layer's first section.
func (t *trailer) shareOf(multiplier Mem, share reg.GPVirtual) {
	t.fn.XORL(share.As32(), share.As32())
	t.fn.CMPL(multiplier, U8(0))
	t.fn.CMOVLNE(t.cut.As32(), share.As32())
}

// linesOf makes the multiplier of a section the number of its lines.
func (t *trailer) linesOf(share, multiplier reg.GPVirtual) {
	t.fn.IMULQ(share, multiplier)
	t.fn.ADDQ(U8(63), multiplier)
	t.fn.SHRQ(U8(6), multiplier)
}
