package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// linearBatch512 has one loop for all lengths of fingerprints: the shape's vectors say
// where planes and slots are. (GFNI's parity of each byte takes as long as VPOPCNTB and
// VPTESTMB.)
func linearBatch512(f *kernel.File) {
	b := newLinearBatch(f, kernel.AVX512, "linearLayerAVX512")
	b.lines, b.orders = b.fn.ZMM(), b.fn.ZMM()
	b.fn.VPBROADCASTQ(b.fn.Address(b.fn.Param("lines")), b.lines)
	b.fn.VPBROADCASTQ(b.fn.Words("orders", 63), b.orders)
	b.emit(linearSteps{b.ahead512, b.locate512, b.rows512, b.parities512, b.answers512})
}

// ahead512 finds the lines of the hashes that are ahead.
func (b *linearBatch) ahead512(hashes reg.GPVirtual) {
	b.each("ahead", func() {
		offsets := b.fn.ZMM()
		b.fn.VPMULUDQ(Mem{Base: hashes, Index: b.at, Scale: 1}, b.lines, offsets)
		b.fn.VPSRLQ(U8(26), offsets, offsets)
		b.fn.VPANDNQ(offsets, b.orders, offsets)
		b.fn.VMOVDQU64(offsets, b.word(b.offsetsAhead))
	})
}

// locate512 finds the lines of the hashes, and their places in the lines' orders.
func (b *linearBatch) locate512(bumped Mem) {
	next := b.fn.ZMM()
	b.fn.VPBROADCASTQ(b.fn.Words("linearNext", linearNext), next)
	b.each("lines", func() {
		hash, product := b.fn.ZMM(), b.fn.ZMM()
		b.fn.VMOVDQU64(Mem{Base: b.from, Index: b.at, Scale: 1}, hash)
		b.fn.CMPB(bumped, U8(0))
		b.fn.JE(LabelRef("first"))
		b.fn.VPMULLQ(next, hash, hash)
		b.fn.VPROLQ(U8(32), hash, hash)
		b.fn.Label("first")
		b.fn.VMOVDQU64(hash, b.word(b.hashes))
		b.fn.VPMULUDQ(hash, b.lines, product)
		b.fn.VPSRLQ(U8(26), product, product)
		b.fn.VMOVDQU64(product, b.word(b.products))
		b.fn.VPANDNQ(product, b.orders, product)
		b.fn.VMOVDQU64(product, b.word(b.offsets))
	})
}

// rows512 multiplies the rows, and queues the bumped keys.
func (b *linearBatch) rows512() {
	seeds, most := b.fn.ZMM(), b.fn.ZMM()
	b.fn.VMOVDQU64(b.fn.Words("linearSeeds", slices.Repeat(linearSeeds[:], 2)...), seeds) // a bit of the threshold comes after the seed's
	b.fn.VPBROADCASTQ(b.fn.Words("highestOrder", 62), most)
	b.each("rows", func() {
		header, hash, row, order, threshold := b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM()
		b.fn.VMOVDQU64(b.word(b.words[0]), header)
		b.fn.VMOVDQU64(b.word(b.hashes), hash)
		b.fn.VPSRLQ(U8(56), header, threshold)
		b.fn.VPERMQ(seeds, threshold, threshold)
		b.fn.VPSRLQ(U8(32), hash, row)
		b.fn.VPMULUDQ(threshold, row, row)
		b.fn.VMOVDQU64(row, b.word(b.multiplied))
		b.fn.VPANDQ(b.word(b.products), b.orders, order)
		b.fn.VPMINUD(most, order, order)
		b.fn.VPSRLQ(U8(58), header, threshold)
		bumped := b.fn.K()
		const less = 1
		b.fn.VPCMPUQ(U8(less), threshold, order, bumped)
		b.enqueue512(bumped, hash)
	})
}

// enqueue512 puts the bumped keys of an octet into the queue.
func (b *linearBatch) enqueue512(bumped reg.OpmaskVirtual, hash reg.VecVirtual) {
	octetNumber, count, number := b.octetNumber(), b.fn.GP64(), b.fn.XMM()
	b.fn.KMOVB(bumped, count.As32())
	b.fn.MOVB(count.As8(), b.below.Idx(octetNumber, 1))
	b.fn.POPCNTQ(count, count)
	b.fn.VPCOMPRESSQ_Z(hash, bumped, hash) // to memory it is slow
	hashes := b.fn.Field(b.queue, "linearQueue", "hashes")
	b.fn.VMOVDQU64(hash, hashes.Idx(b.queued, hashBytes))
	b.fn.VMOVDQU16(b.numbers16(), number)
	b.fn.VPCOMPRESSW_Z(number, bumped, number)
	numbers := b.fn.Field(b.queue, "linearQueue", "numbers")
	b.fn.VMOVDQU16(number, numbers.Idx(b.queued, 2))
	b.fn.ADDQ(count, b.queued)
}

// parities512 finds which bits of a line's bytes are in the row, and their parities.
func (b *linearBatch) parities512() func(key int) {
	control, ones := b.fn.ZMM(), b.fn.ZMM()
	b.fn.VMOVDQU64(b.field("control"), control)
	b.fn.VPBROADCASTQ(b.fn.Words("allBits", 0xff), ones)
	return func(key int) {
		offset, bytes, mask := b.fn.GP64(), b.fn.ZMM(), b.fn.K()
		b.fn.MOVQ(b.word(b.offsets).Offset(8*key), offset)
		b.fn.VPMULTISHIFTQB_BCST(b.word(b.multiplied).Offset(8*key), control, bytes)
		b.fn.VPANDQ(Mem{Base: b.base, Index: offset, Scale: 1}, bytes, bytes)
		b.fn.VGF2P8AFFINEQB(U8(0), ones, bytes, bytes) // bit 7 is the parity
		b.fn.VPMOVB2M(bytes, mask)
		b.fn.KMOVQ(mask, b.word(b.masks).Offset(8*key))
	}
}

// answers512 compares the planes and the tail with the fingerprints.
func (b *linearBatch) answers512() {
	high, low, columns, top, fingerprint := b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM()
	var by [3]reg.VecVirtual // one plane, two, four
	for i := range by {
		by[i] = b.fn.ZMM()
	}
	b.fn.VPBROADCASTQ(b.fn.Words("linearHigh", linearHigh), high)
	b.fn.VPBROADCASTQ(b.fn.Words("linearLow", linearLow), low)
	b.fn.VPBROADCASTQ(b.field("columns"), columns)
	b.fn.VPBROADCASTQ(b.field("bits"), by[0])
	b.fn.VPADDQ(by[0], by[0], by[1])
	b.fn.VPADDQ(by[1], by[1], by[2])
	b.fn.VPBROADCASTQ(b.field("top"), top)
	b.fn.VPBROADCASTQ(b.field("fingerprint"), fingerprint)
	b.each("answers", func() {
		sum, shifted, found := b.fn.ZMM(), b.fn.ZMM(), b.fn.K()
		b.fn.VPANDQ(b.word(b.masks), columns, sum)
		for i := range by {
			b.fn.VPSRLVQ(by[len(by)-1-i], sum, shifted)
			b.fn.VPXORQ(shifted, sum, sum)
		}
		word := b.hashWords512(high, low)
		b.fn.VPSRLVQ(top, word, shifted)
		b.fn.VPXORQ(shifted, sum, sum)
		b.addTail512(word, sum)
		b.fn.VPTESTNMQ(fingerprint, sum, found)
		octetNumber, answer, bumped := b.octetNumber(), b.fn.GP64(), b.fn.GP64()
		b.fn.MOVBLZX(b.below.Idx(octetNumber, 1), bumped.As32())
		b.fn.KMOVB(found, answer.As32())
		b.fn.NOTL(bumped.As32())
		b.fn.ANDL(bumped.As32(), answer.As32())
		b.fn.MOVB(answer.As8(), Mem{Base: b.hits, Index: octetNumber, Scale: 1})
	})
}

// hashWords512 returns what the fingerprints and the tail's rows are taken from.
func (b *linearBatch) hashWords512(high, low reg.VecVirtual) reg.VecVirtual {
	hash, word := b.fn.ZMM(), b.fn.ZMM()
	b.fn.VMOVDQU64(b.word(b.hashes), hash)
	b.fn.VPSRLQ(U8(32), hash, word)
	b.fn.VPMULUDQ(high, word, word)
	b.fn.VPMULUDQ(low, hash, hash)
	b.fn.VPSLLQ(U8(32), hash, hash)
	b.fn.VPXORQ(hash, word, word)
	return word
}

// addTail512 adds the slots of the tail that are in the rows.
func (b *linearBatch) addTail512(word, sum reg.VecVirtual) {
	slot, slots, place := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	row, tail, some := b.fn.ZMM(), b.fn.ZMM(), b.fn.K()
	b.fn.MOVQ(b.field("tail"), slots)
	b.fn.TESTQ(slots, slots)
	b.fn.JZ(LabelRef("noTail"))
	b.fn.VPSRLQ(U8(53), b.word(b.words[0]), tail)
	b.fn.VPANDQ_BCST(b.fn.Words("seedShift", 3<<3), tail, tail)
	b.fn.VPSRLVQ(tail, word, word)
	b.fn.LEAQ(b.field("slots"), slot)
	b.fn.VPBROADCASTQ(b.fn.Words("one", 1), row)
	b.fn.Label("slot")
	b.fn.VPTESTMQ(row, word, some)
	b.fn.VPADDQ(row, row, row)
	b.fn.MOVQ(Mem{Base: slot}, place)
	b.fn.ADDQ(b.at, place)
	b.fn.VMOVDQU64(b.words[0].Idx(place, 1), tail)
	b.fn.VPSRLVQ_BCST(Mem{Base: slot, Disp: 8}, tail, tail)
	b.fn.VPXORQ(tail, sum, some, sum)
	b.fn.ADDQ(U8(16), slot)
	b.fn.DECQ(slots)
	b.fn.JNZ(LabelRef("slot"))
	b.fn.Label("noTail")
}
