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
	b.lines, b.orders = b.ZMM(), b.ZMM()
	b.VPBROADCASTQ(b.Address(b.Param("lines")), b.lines)
	b.VPBROADCASTQ(b.Words("orders", 63), b.orders)
	b.emit(linearSteps{b.prefetch512, b.locate512, b.rows512, b.parities512, b.answers512})
}

// prefetch512 prefetches the lines of the hashes that are ahead.
func (b *linearBatch) prefetch512(ahead reg.GPVirtual) {
	hashes := b.GP64()
	b.LEAQ(Mem{Base: b.from, Index: ahead, Scale: hashBytes}, hashes)
	b.each("ahead", func() {
		offsets := b.ZMM()
		b.VPMULUDQ(Mem{Base: hashes, Index: b.at, Scale: 1}, b.lines, offsets)
		b.VPSRLQ(U8(26), offsets, offsets)
		b.VPANDNQ(offsets, b.orders, offsets)
		b.VMOVDQU64(offsets, b.word(b.offsets))
		for key := range octet {
			offset := b.GP64()
			b.MOVQ(b.word(b.offsets).Offset(8*key), offset)
			b.PREFETCHT1(Mem{Base: b.base, Index: offset, Scale: 1})
		}
	})
}

// locate512 finds the lines of the hashes, and their places in the lines' orders.
func (b *linearBatch) locate512(bumped Mem) {
	next := b.ZMM()
	b.VPBROADCASTQ(b.Words("linearNext", linearNext), next)
	b.each("lines", func() {
		hash, product := b.ZMM(), b.ZMM()
		b.VMOVDQU64(Mem{Base: b.from, Index: b.at, Scale: 1}, hash)
		b.CMPB(bumped, U8(0))
		b.JE(LabelRef("first"))
		b.VPMULLQ(next, hash, hash)
		b.VPROLQ(U8(32), hash, hash)
		b.Label("first")
		b.VMOVDQU64(hash, b.word(b.hashes))
		b.VPMULUDQ(hash, b.lines, product)
		b.VPSRLQ(U8(26), product, product)
		b.VMOVDQU64(product, b.word(b.products))
		b.VPANDNQ(product, b.orders, product)
		b.VMOVDQU64(product, b.word(b.offsets))
	})
}

// rows512 multiplies the rows, and queues the bumped keys.
func (b *linearBatch) rows512() {
	seeds, most := b.ZMM(), b.ZMM()
	b.VMOVDQU64(b.Words("linearSeeds", slices.Repeat(linearSeeds[:], 2)...), seeds) // a bit of the threshold comes after the seed's
	b.VPBROADCASTQ(b.Words("highestOrder", 62), most)
	b.each("rows", func() {
		header, hash, row, order, threshold := b.ZMM(), b.ZMM(), b.ZMM(), b.ZMM(), b.ZMM()
		b.VMOVDQU64(b.word(b.words[0]), header)
		b.VMOVDQU64(b.word(b.hashes), hash)
		b.VPSRLQ(U8(56), header, threshold)
		b.VPERMQ(seeds, threshold, threshold)
		b.VPSRLQ(U8(32), hash, row)
		b.VPMULUDQ(threshold, row, row)
		b.VMOVDQU64(row, b.word(b.multiplied))
		b.VPANDQ(b.word(b.products), b.orders, order)
		b.VPMINUD(most, order, order)
		b.VPSRLQ(U8(58), header, threshold)
		bumped := b.K()
		const less = 1
		b.VPCMPUQ(U8(less), threshold, order, bumped)
		b.enqueue512(bumped, hash)
	})
}

// enqueue512 puts the bumped keys of an octet into the queue.
func (b *linearBatch) enqueue512(bumped reg.OpmaskVirtual, hash reg.VecVirtual) {
	octetNumber, count, number := b.octetNumber(), b.GP64(), b.XMM()
	b.KMOVB(bumped, count.As32())
	b.MOVB(count.As8(), b.below.Idx(octetNumber, 1))
	b.POPCNTQ(count, count)
	b.VPCOMPRESSQ_Z(hash, bumped, hash) // to memory it is slow
	hashes := b.Field(b.queue, "linearQueue", "hashes")
	b.VMOVDQU64(hash, hashes.Idx(b.queued, hashBytes))
	b.VMOVDQU16(b.numbers16(), number)
	b.VPCOMPRESSW_Z(number, bumped, number)
	numbers := b.Field(b.queue, "linearQueue", "numbers")
	b.VMOVDQU16(number, numbers.Idx(b.queued, 2))
	b.ADDQ(count, b.queued)
}

// parities512 finds which bits of a line's bytes are in the row, and their parities.
func (b *linearBatch) parities512() {
	control, ones := b.ZMM(), b.ZMM()
	b.VMOVDQU64(b.field("control"), control)
	b.VPBROADCASTQ(b.Words("allBits", 0xff), ones)
	b.each("parities", func() {
		for key := range octet {
			offset, bytes, mask := b.GP64(), b.ZMM(), b.K()
			b.MOVQ(b.word(b.offsets).Offset(8*key), offset)
			b.VPMULTISHIFTQB_BCST(b.word(b.multiplied).Offset(8*key), control, bytes)
			b.VPANDQ(Mem{Base: b.base, Index: offset, Scale: 1}, bytes, bytes)
			b.VGF2P8AFFINEQB(U8(0), ones, bytes, bytes) // bit 7 is the parity
			b.VPMOVB2M(bytes, mask)
			b.KMOVQ(mask, b.word(b.masks).Offset(8*key))
		}
	})
}

// answers512 compares the planes and the tail with the fingerprints.
func (b *linearBatch) answers512() {
	high, low, columns, top, fingerprint := b.ZMM(), b.ZMM(), b.ZMM(), b.ZMM(), b.ZMM()
	var by [3]reg.VecVirtual // one plane, two, four
	for i := range by {
		by[i] = b.ZMM()
	}
	b.VPBROADCASTQ(b.Words("linearHigh", linearHigh), high)
	b.VPBROADCASTQ(b.Words("linearLow", linearLow), low)
	b.VPBROADCASTQ(b.field("columns"), columns)
	b.VPBROADCASTQ(b.field("bits"), by[0])
	b.VPADDQ(by[0], by[0], by[1])
	b.VPADDQ(by[1], by[1], by[2])
	b.VPBROADCASTQ(b.field("top"), top)
	b.VPBROADCASTQ(b.field("fingerprint"), fingerprint)
	b.each("answers", func() {
		sum, shifted, found := b.ZMM(), b.ZMM(), b.K()
		b.VPANDQ(b.word(b.masks), columns, sum)
		for i := range by {
			b.VPSRLVQ(by[len(by)-1-i], sum, shifted)
			b.VPXORQ(shifted, sum, sum)
		}
		word := b.hashWords512(high, low)
		b.VPSRLVQ(top, word, shifted)
		b.VPXORQ(shifted, sum, sum)
		b.addTail512(word, sum)
		b.VPTESTNMQ(fingerprint, sum, found)
		octetNumber, answer, bumped := b.octetNumber(), b.GP64(), b.GP64()
		b.MOVBLZX(b.below.Idx(octetNumber, 1), bumped.As32())
		b.KMOVB(found, answer.As32())
		b.NOTL(bumped.As32())
		b.ANDL(bumped.As32(), answer.As32())
		b.MOVB(answer.As8(), Mem{Base: b.hits, Index: octetNumber, Scale: 1})
	})
}

// hashWords512 returns what the fingerprints and the tail's rows are taken from.
func (b *linearBatch) hashWords512(high, low reg.VecVirtual) reg.VecVirtual {
	hash, word := b.ZMM(), b.ZMM()
	b.VMOVDQU64(b.word(b.hashes), hash)
	b.VPSRLQ(U8(32), hash, word)
	b.VPMULUDQ(high, word, word)
	b.VPMULUDQ(low, hash, hash)
	b.VPSLLQ(U8(32), hash, hash)
	b.VPXORQ(hash, word, word)
	return word
}

// addTail512 adds the slots of the tail that are in the rows.
func (b *linearBatch) addTail512(word, sum reg.VecVirtual) {
	slot, slots, place := b.GP64(), b.GP64(), b.GP64()
	row, tail, some := b.ZMM(), b.ZMM(), b.K()
	b.MOVQ(b.field("tail"), slots)
	b.TESTQ(slots, slots)
	b.JZ(LabelRef("noTail"))
	b.VPSRLQ(U8(53), b.word(b.words[0]), tail)
	b.VPANDQ_BCST(b.Words("seedShift", 3<<3), tail, tail)
	b.VPSRLVQ(tail, word, word)
	b.LEAQ(b.field("slots"), slot)
	b.VPBROADCASTQ(b.Words("one", 1), row)
	b.Label("slot")
	b.VPTESTMQ(row, word, some)
	b.VPADDQ(row, row, row)
	b.MOVQ(Mem{Base: slot}, place)
	b.ADDQ(b.at, place)
	b.VMOVDQU64(b.words[0].Idx(place, 1), tail)
	b.VPSRLVQ_BCST(Mem{Base: slot, Disp: 8}, tail, tail)
	b.VPXORQ(tail, sum, some, sum)
	b.ADDQ(U8(16), slot)
	b.DECQ(slots)
	b.JNZ(LabelRef("slot"))
	b.Label("noTail")
}
