package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// place takes the hashes of the later group, and finds the keys' lines in the first layer.
func (b *batch) place() {
	keys, most, far := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.n, keys)
	b.fn.MOVL(U32(linearGroup), most.As32())
	b.fn.MOVL(U32(linearFarGroup), far.As32())
	b.fn.CMPB(b.far, U8(linearNear))
	b.fn.CMOVQNE(far, most)
	b.fn.CMPQ(keys, most)
	b.fn.CMOVQGT(most, keys)
	b.fn.MOVQ(keys, b.keysLater)
	b.fn.SUBQ(keys, b.n)
	b.fn.TESTQ(keys, keys)
	b.fn.JZ(LabelRef("placed"))

	from, whole, layer, room, key := b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.LEAQ(b.kernelField("layers.layers"), layer)
	b.fn.MOVQ(b.later, room)
	hashes, places, _ := roomOf(room, key)
	place := b.steps.place(layer)
	b.fn.MOVQ(b.hashes, from)
	b.fn.MOVQ(keys, whole)
	b.fn.ANDQ(I8(-shared.Octet), whole)
	b.fn.XORL(key.As32(), key.As32())
	b.fn.JMP(LabelRef("octets"))
	b.fn.Label("octet")
	for half := range b.steps.halves {
		place(half, Mem{Base: from, Index: key, Scale: 8}, hashes, places)
	}
	b.fn.ADDQ(U8(shared.Octet), key)
	b.fn.Label("octets")
	b.fn.CMPQ(key, whole)
	b.fn.JLT(LabelRef("octet"))
	b.fn.CMPQ(key, keys)
	b.fn.JGE(LabelRef("whole"))

	b.fn.Comment("The last keys are fewer than an octet.")
	rest, hash, octets := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(key, rest)
	b.fn.NEGQ(rest)
	b.fn.LEAQ(b.rest.Idx(rest, 8), octets) // as if those before it were there, too
	b.fn.MOVQ(key, rest)
	b.fn.Label("rest")
	b.fn.MOVQ(Mem{Base: from, Index: rest, Scale: 8}, hash)
	b.fn.MOVQ(hash, Mem{Base: octets, Index: rest, Scale: 8})
	b.fn.INCQ(rest)
	b.fn.CMPQ(rest, keys)
	b.fn.JLT(LabelRef("rest"))
	b.fn.MOVQ(octets, from)
	b.fn.JMP(LabelRef("octet"))

	b.fn.Label("whole")
	b.fn.SHLQ(U8(3), keys)
	b.fn.ADDQ(keys, b.hashes)
	b.fn.Label("placed")
}

// settle finds the lines of the next group's keys, if there are any. Keys that were bumped from the last
// layer are contained.
func (b *batch) settle() {
	keys := b.fn.GP64()
	b.fn.MOVQ(b.keysThen, keys)
	b.fn.TESTQ(keys, keys)
	b.fn.JZ(LabelRef("settled"))

	answers, words := b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.keysNow, answers) // a whole group, or none
	b.fn.SHRQ(U8(3), answers)
	b.fn.ADDQ(b.hits, answers)
	b.fn.LEAQ(Mem{Base: keys, Disp: shared.WordKeys - 1}, words)
	b.fn.SHRQ(U8(6), words)
	b.fn.Label("clear")
	b.fn.MOVQ(U32(0), Mem{Base: answers, Index: words, Scale: 8, Disp: -8})
	b.fn.DECQ(words)
	b.fn.JNZ(LabelRef("clear"))

	layer, headers, room := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.LEAQ(b.kernelField("layers.layers"), layer)
	b.fn.MOVQ(b.kernelField("headers"), headers)
	b.fn.MOVQ(b.then, room)
	b.firstLayer(headers, room, keys)
	b.layers(layer, headers, room)
	b.bumpedFromLast(answers)
	b.fn.Label("settled")
}

// firstLayer finds the keys that were bumped from the first layer.
func (b *batch) firstLayer(headers, room, keys reg.GPVirtual) {
	key := b.fn.GP64()
	_, places, roomHeaders := roomOf(room, key)
	b.fn.XORL(key.As32(), key.As32())
	b.each("headers", key, keys, func() {
		for i := range shared.Octet {
			header := b.fn.GP64()
			b.fn.MOVBLZX(Mem{Base: headers, Index: b.loadLine(places.Offset(8 * i)), Scale: 1}, header.As32())
			b.fn.MOVB(header.As8(), roomHeaders.Offset(i))
		}
	})
	_, _, end := roomOf(room, keys)
	b.fn.MOVQ(U32(0), end) // those that fill up an octet are not bumped
	numbers := b.fn.GP64()
	b.fn.LEAQ(b.fn.Words("linearNumbers", linearNumbers()...), numbers)
	bumped := b.steps.bumped()
	b.fn.XORL(b.bumped.As32(), b.bumped.As32())
	b.fn.XORL(key.As32(), key.As32())
	b.each("bumped", key, keys, func() {
		for half := range b.steps.halves {
			bumped(half, places, roomHeaders, Mem{Base: numbers, Index: key, Scale: 2})
		}
	})
}

// linearNumbers returns the numbers of a group's keys, of two bytes each.
func linearNumbers() (words []uint64) {
	for i := uint64(0); i < linearGroup; i += 4 {
		words = append(words, i|(i+1)<<16|(i+2)<<32|(i+3)<<48)
	}
	return words
}

// layers finds the lines of bumped keys, layer after layer. They are few, so it takes one after the other.
func (b *batch) layers(layer, headers, room reg.GPVirtual) {
	left, i, keys, factor, thresholds := b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.kernelField("layers.number"), left)
	b.fn.MOVQ(left, b.layersLeft)
	b.fn.MOVQ(U64(linearNext), factor)
	b.fn.LEAQ(b.fn.Words("linearThresholds", linearThresholds()...), thresholds)
	b.fn.Label("layer")
	b.fn.TESTQ(b.bumped, b.bumped)
	b.fn.JZ(LabelRef("settled"))
	b.fn.DECQ(b.layersLeft)
	b.fn.JZ(LabelRef("last"))
	b.fn.ADDQ(U8(linearLayerBytes), layer)
	b.fn.MOVQ(b.bumped, keys)
	b.fn.XORL(b.bumped.As32(), b.bumped.As32())
	b.fn.XORL(i.As32(), i.As32())
	b.fn.Label("again")
	number := b.fn.GP64()
	b.fn.MOVWLZX(b.numbers.Idx(i, 2), number.As32())
	hashes, places, roomHeaders := roomOf(room, number)
	hash, cut, section := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(hashes, hash)
	b.fn.IMULQ(factor, hash)
	b.fn.ROLQ(U8(32), hash)
	b.fn.XORL(section.As32(), section.As32())
	b.fn.MOVL(Mem{Base: layer, Disp: linearLayerCut}, cut.As32())
	b.fn.CMPL(hash.As32(), cut.As32())
	b.fn.CMOVQCS(section, cut)
	b.fn.SETCC(section.As8())
	b.fn.SUBQ(cut, hash)
	b.fn.MOVQ(hash, hashes)

	product, line, multiplier := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVL(hash.As32(), product.As32())
	b.fn.MOVL(Mem{Base: layer, Disp: linearLayerMultiplier, Index: section, Scale: linearSectionBytes}, multiplier.As32())
	b.fn.IMULQ(multiplier, product)
	b.fn.MOVQ(product, line)
	b.fn.SHRQ(U8(32), line)
	b.fn.ADDL(Mem{Base: layer, Disp: linearLayerFirst, Index: section, Scale: linearSectionBytes}, line.As32())
	b.fn.MOVL(line.As32(), places.Offset(4))
	b.fn.SHLL(U8(lineShift), section.As32())
	b.fn.ANDL(I32(-1<<8), product.As32())
	b.fn.ORL(product.As32(), section.As32())
	b.fn.MOVL(section.As32(), places)

	header := b.fn.GP64()
	b.fn.MOVBLZX(Mem{Base: headers, Index: line, Scale: 1}, header.As32())
	b.fn.MOVB(header.As8(), roomHeaders)
	b.fn.MOVW(number.As16(), b.numbers.Idx(b.bumped, 2))
	b.fn.CMPL(section.As32(), Mem{Base: thresholds, Index: header, Scale: 4})
	b.fn.ADCQ(U8(0), b.bumped)
	b.fn.INCQ(i)
	b.fn.CMPQ(i, keys)
	b.fn.JLT(LabelRef("again"))
	b.fn.JMP(LabelRef("layer"))
}

// linearThresholds returns a bound of four bytes for each header: a key was bumped if the lower half of its place is
// below it. A line whose threshold is 63 has no key.
func linearThresholds() (words []uint64) {
	for header := uint64(0); header < 256; header += 2 {
		threshold := header >> 2 << 26
		if header >= 63<<2 {
			threshold = 1<<32 - 1
		}
		words = append(words, threshold|threshold<<32)
	}
	return words
}

// linearHighestPlace is the highest that counts of a place's lower half: 62 in the line's order, which 63 is
// taken for, and all bits below it.
const linearHighestPlace = 0xfbffffff

// bumpedFromLast sets the answers of keys that were bumped from the last layer.
func (b *batch) bumpedFromLast(answers reg.GPVirtual) {
	b.fn.Label("last")
	number := b.fn.GP64()
	b.fn.MOVWLZX(b.numbers.Offset(-2).Idx(b.bumped, 2), number.As32())
	b.fn.BTSQ(number, Mem{Base: answers})
	b.fn.DECQ(b.bumped)
	b.fn.JNZ(LabelRef("last"))
}

// The layout of fallback's linearLayer.
const (
	linearLayerCut        = 0
	linearLayerMultiplier = 4 // of the first section
	linearLayerFirst      = 8
	linearSectionBytes    = 8
	linearLayerBytes      = 20
)
