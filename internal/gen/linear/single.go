package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// singles emits the kernels that look up one key in a linear filter.
func singles(f *kernel.File) {
	single(f, kernel.AVX512, "linearContainsAVX512")
	single(f, kernel.AVX2, "linearContainsAVX2")
	near(f, kernel.AVX512, "linearContainsNearAVX512", "linearContainsAVX512")
	near(f, kernel.AVX2, "linearContainsNearAVX2", "linearContainsAVX2")
	ofBytes(f, kernel.AVX512, "linearMayContain", "LinearMayContain.", "linearMayContainAVX2")
	ofBytes(f, kernel.AVX2, "linearMayContainAVX2", "where linearMayContain continues without AVX-512.", "linearMayContainOther")
	functions := shared.Functions{
		Go: "linearContainsGo", AVX2: "linearContainsAVX2", Eight: "linearContainsAVX512", More: "linearContainsAVX512",
		Batch: "linearBatch", FewBits: "linearContainsFewBits", FewBools: "linearContainsFewBools", InGo: "linearBitsInGo",
	}
	functions.Define(f, "linearFunctions")
	functions.AVX2, functions.Eight, functions.More = "linearContainsNearAVX2", "linearContainsNearAVX512", "linearContainsNearAVX512"
	functions.Define(f, "linearNearFunctions")
}

// A key is a key that is looked up in a linear filter.
type key struct {
	fn     *kernel.Function
	level  kernel.Level
	hash   reg.GPVirtual // as its section has it
	shape  reg.GPVirtual // its section's
	line   reg.GPVirtual // the number of its line, and then the address
	header reg.GPVirtual // its line's
}

func newKey(fn *kernel.Function, level kernel.Level) *key {
	return &key{fn, level, fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()}
}

// single looks up one key in a prepared filter, which has a layer at least. Headers alone say in which
// line the key is, so the processor, which predicts that, loads the line early. The fewer instructions a
// lookup has, the more lookups wait for their lines at once.
func single(f *kernel.File, level kernel.Level, name string) {
	fn := f.Entry(level, name, shared.Contains)
	first, own := shared.InEight(fn, shared.Prepared, "linearFirst"), fn.GP64()
	fn.MOVQ(fn.Field(shared.Prepared, "Kernel", "own"), own)
	field := func(name string) Mem { return fn.Field(own, "linearFilter", name) }
	k := newKey(fn, level)
	k.mix()
	headers, section, order := fn.GP64(), fn.GP64(), fn.GP64()
	start := func(name string, section int) Mem { return start(fn, field, 0, name, section) }
	multiplier, place := fn.GP64(), fn.GP64()
	fn.MOVQ(field("headers"), headers)
	fn.MOVL(U32(1), section.As32())
	fn.MOVQ(first("multipliers"), multiplier)
	fn.MOVQ(start("places", 0), place)
	fn.CMPL(k.hash.As32(), first("cut"))
	fn.CMOVQCC(first("multipliers").Offset(8), multiplier)
	fn.CMOVQCC(start("places", 1), place)
	fn.SBBL(U8(0), section.As32())
	fn.MOVL(k.hash.As32(), k.line.As32())
	fn.IMULQ(multiplier, k.line)
	fn.ADDQ(place, k.line)
	fn.SUBQ(start("cuts", 0).Idx(section, 8), k.hash)
	fn.MOVL(k.line.As32(), order.As32())
	fn.SHRQ(U8(32), k.line)
	fn.MOVBLZX(Mem{Base: headers, Index: k.line, Scale: 1}, k.header.As32())
	k.compare(order)
	fn.JCC(LabelRef("first"))
	fn.MOVQ(field("shapes").Idx(section, 8), k.shape)
	sums := fn.GP64()
	fn.MOVL(field("start.sums").Idx(section, 4), sums.As32())
	fn.Label("line")
	fn.SHLQ(U8(6), k.line)
	fn.ADDQ(field("lines"), k.line)
	k.lookUp(sums)

	layer := fn.GP64()
	fn.Comment("The other layers.")
	fn.Label("first")
	fn.LEAQ(field("layers.layers"), layer)
	fn.Label("bumped")
	k.next()
	end, layers := fn.GP64(), fn.GP64()
	fn.IMUL3Q(U8(linearLayerBytes), field("layers.number"), end)
	fn.LEAQ(field("layers.layers"), layers)
	fn.ADDQ(layers, end)
	fn.ADDQ(U8(linearLayerBytes), layer)
	fn.CMPQ(layer, end)
	fn.JCC(LabelRef("last"))
	k.place(layer, field("shapes"), headers)
	fn.MOVQ(field("sums"), sums)
	fn.JCS(LabelRef("line"))
	fn.JMP(LabelRef("bumped"))
	fn.Label("last")
	fn.MOVB(U8(1), fn.Answer()) // bumped from the last layer
	fn.RET()
}

// start returns a field of a section of one of the first two layers.
func start(fn *kernel.Function, field func(name string) Mem, layer int, name string, section int) Mem {
	of := fn.Field(reg.RAX, "linearPlaces", name).Disp
	return field("start.layers").Offset(layer*fn.Size("linearPlaces") + of + 8*section)
}

// mix loads the hash.
func (k *key) mix() {
	upper := k.fn.GP64()
	k.fn.Load(k.fn.Param("hash"), k.hash)
	k.fn.MOVQ(k.hash, upper)
	k.fn.SHRQ(U8(32), upper)
	k.fn.XORQ(upper, k.hash)
	k.fn.IMULQ(k.fn.Words("linearMix", linearMix), k.hash)
}

// next makes the hash the next layer's.
func (k *key) next() {
	k.fn.IMULQ(k.fn.Words("linearNext", linearNext), k.hash)
	k.fn.RORQ(U8(32), k.hash)
}

// place finds the key's section in a layer, its line and its header. It carries unless the key was bumped.
func (k *key) place(layer reg.GPVirtual, shapes Mem, headers reg.GPVirtual) {
	fn := k.fn
	cut, section, multiplier, product, order := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	none := fn.GP64()
	fn.XORL(none.As32(), none.As32())
	at := Mem{Base: layer}
	fn.MOVL(at, cut.As32())
	fn.MOVQ(at.Offset(4), section)
	fn.MOVQ(shapes, k.shape)
	fn.CMPL(k.hash.As32(), cut.As32())
	fn.CMOVQCC(at.Offset(12), section)
	fn.CMOVQCC(shapes.Offset(8), k.shape)
	fn.CMOVLCS(none.As32(), cut.As32())
	fn.SUBQ(cut, k.hash)
	fn.MOVL(section.As32(), multiplier.As32())
	fn.SUBQ(multiplier, section) // the first line, above 32 zeros
	fn.MOVL(k.hash.As32(), product.As32())
	fn.IMULQ(multiplier, product)
	fn.MOVL(product.As32(), order.As32())
	fn.ADDQ(section, product)
	fn.SHRQ(U8(32), product)
	fn.MOVQ(product, k.line)
	fn.MOVBLZX(Mem{Base: headers, Index: k.line, Scale: 1}, k.header.As32())

	k.compare(order)
}

// compare compares a key's order, in the top bits of a doubleword, with the header. It carries unless the key was
// bumped.
//
// The order, or 62 for 63, is below the threshold if four times the order, and four more, is not above the header.
func (k *key) compare(order reg.GPVirtual) {
	k.fn.SHRL(U8(26), order.As32())
	k.fn.CMPL(order.As32(), U8(63))
	k.fn.ADCL(U8(0), order.As32())
	k.fn.SHLL(U8(2), order.As32())
	k.fn.CMPL(k.header.As32(), order.As32())
}

func (k *key) field(name string) Mem { return k.fn.Field(k.shape, "linearShape", name) }

// lookUp looks the key up in its line, whose address and header are known, and returns.
func (k *key) lookUp(sums Op) {
	k.compareLine(sums)
	k.fn.SETEQ(k.fn.Answer())
	if k.level != kernel.AVX512 {
		k.fn.VZEROUPPER()
	}
	k.fn.RET()
}

// compareLine looks the key up in its line. It leaves the flags of an equal comparison if the key is there.
func (k *key) compareLine(sums Op) {
	fn := k.fn
	high, row, word := fn.GP64(), fn.GP64(), k.hash
	fn.MOVQ(k.hash, high)
	fn.SHRQ(U8(32), high)
	fn.ANDL(U8(3), k.header.As32()) // the seed
	fn.MOVQ(k.field("seeds").Idx(k.header, 8), row)
	fn.IMULQ(high, row)
	sum := k.planes(row)
	fn.IMULQ(fn.Words("linearHigh", linearHigh), high)
	fn.IMULQ(fn.Words("linearLow", linearLow<<32), word)
	fn.XORQ(high, word) // the fingerprint is in its top bits
	k.tail(word, sums, sum)
	result := fn.GP64()
	fn.VMOVQ(sum, result)
	fn.XORQ(word, result)
	fn.TESTQ(result, k.field("topBits"))
}

// planes adds the slots of the planes that are in the key's row, in the top bits of the result: a product
// without carries adds the parities of each plane's bytes.
func (k *key) planes(row reg.GPVirtual) (sum reg.VecVirtual) {
	parities := k.parities256
	if k.level == kernel.AVX512 {
		parities = k.parities512
	}
	of := parities(row)
	sum = k.fn.XMM()
	k.fn.VMOVQ(of, sum)
	k.fn.VPCLMULQDQ(U8(0), k.field("fold"), sum, sum)
	return sum
}

// parities512 returns the parities of the bytes' bits that are in the row.
func (k *key) parities512(row reg.GPVirtual) reg.GPVirtual {
	fn := k.fn
	bytes, mask, parities := reg.Z16, fn.K(), fn.GP64()
	fn.VPBROADCASTQ(row, bytes)
	fn.VPSHUFB(k.field("spread"), bytes, bytes)
	fn.VPANDQ(Mem{Base: k.line}, bytes, bytes)
	fn.VGF2P8AFFINEQB_BCST(U8(0), fn.Words("allBits", 0xff), bytes, bytes) // bit 7 is the parity
	fn.VPMOVB2M(bytes, mask)
	fn.KMOVQ(mask, parities)
	return parities
}

func (k *key) parities256(row reg.GPVirtual) reg.GPVirtual {
	fn := k.fn
	rows, low, table := fn.YMM(), fn.YMM(), fn.YMM()
	fn.VMOVQ(row, rows.AsX())
	fn.VPBROADCASTQ(rows.AsX(), rows)
	fn.VPBROADCASTQ(fn.Words("lowHalves", shared.LowHalves), low)
	odd := shared.ParityTable()
	fn.VMOVDQU(fn.Words("parityOfFour", odd[:]...), table)
	var masks [2]reg.GPVirtual
	for i := range masks {
		b, upper := fn.YMM(), fn.YMM()
		masks[i] = fn.GP64()
		fn.VPSHUFB(k.field("spread").Offset(32*i), rows, b)
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

// tail adds the slots of the tail that are in the row, in the top bits, by one to four sums.
func (k *key) tail(word reg.GPVirtual, sums Op, sum reg.VecVirtual) {
	fn := k.fn
	fn.CMPQ(sums, U8(0))
	fn.JE(LabelRef("added"))
	row := fn.GP64()
	fn.SHLL(U8(3), k.header.As32())
	fn.SHRXQ(k.header, word, row)
	field := func(number int, name string) Mem {
		return k.field("sums.words").Offset(number*fn.Size("linearSum") + fn.Field(k.shape, "linearSum", name).Disp)
	}
	for number := range 4 {
		slots, factor, product := row, fn.GP64(), fn.XMM()
		from := Mem{Base: k.line, Disp: shared.LineBytes - 16}
		if number > 0 {
			fn.CMPQ(sums, U8(uint8(number)))
			fn.JE(LabelRef("added"))
			slots, from = fn.GP64(), Mem{Base: k.line, Index: fn.GP64(), Scale: 1, Disp: -8}
			fn.MOVQ(field(number, "first"), slots)
			fn.SHRXQ(slots, row, slots)
			fn.MOVQ(field(number, "at"), from.Index)
		}
		if k.level == kernel.AVX512 {
			fn.PDEPQ(field(number, "factor"), slots, factor)
		} else { // PDEPQ takes long on Zen 1 and 2
			fn.MOVQ(field(number, "slots"), factor)
			fn.ANDQ(slots, factor)
			fn.IMULQ(field(number, "apart"), factor)
			fn.ANDQ(field(number, "factor"), factor)
		}
		fn.VMOVQ(factor, product)
		fn.VPCLMULQDQ(U8(0x10), from, product, product) // the upper half
		fn.VPXOR(product, sum, sum)
	}
	fn.Label("added")
}
