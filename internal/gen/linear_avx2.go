package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// quad is how many hashes are in a vector of AVX2.
const quad = octet / 2

// linearBatch256 is linearBatch512 with two vectors for an octet, and two for a line.
func linearBatch256(f *kernel.File) {
	b := newLinearBatch(f, kernel.AVX2, "linearLayerAVX2")
	b.lines, b.orders = b.YMM(), b.YMM()
	b.VPBROADCASTQ(b.Address(b.Param("lines")), b.lines)
	b.VPBROADCASTQ(b.Words("orders", 63), b.orders)
	b.emit(linearSteps{b.prefetch256, b.locate256, b.rows256, b.parities256, b.answers256})
}

// quads emits a loop over the octets of the 64 hashes, with the quads of each one after
// the other.
func (b *linearBatch) quads(label string, do func(half int)) {
	b.each(label, func() {
		do(0)
		do(1)
	})
}

// quadWord is a quad of the words of 64 keys.
func (b *linearBatch) quadWord(of Mem, half int) Mem { return b.word(of).Offset(half * quad * 8) }

// prefetch256 prefetches the lines of the hashes that are ahead.
func (b *linearBatch) prefetch256(ahead reg.GPVirtual) {
	hashes := b.GP64()
	b.LEAQ(Mem{Base: b.from, Index: ahead, Scale: hashBytes}, hashes)
	b.quads("ahead", func(half int) {
		offsets := b.YMM()
		b.VPMULUDQ(Mem{Base: hashes, Index: b.at, Scale: 1, Disp: half * quad * hashBytes}, b.lines, offsets)
		b.VPSRLQ(U8(26), offsets, offsets)
		b.VPANDN(offsets, b.orders, offsets)
		b.VMOVDQU(offsets, b.quadWord(b.offsets, half))
		for key := range quad {
			offset := b.GP64()
			b.MOVQ(b.quadWord(b.offsets, half).Offset(8*key), offset)
			b.PREFETCHT1(Mem{Base: b.base, Index: offset, Scale: 1})
		}
	})
}

// locate256 finds the lines of the hashes, and their places in the lines' orders.
func (b *linearBatch) locate256(bumped Mem) {
	b.quads("lines", func(half int) {
		hash, product := b.YMM(), b.YMM()
		b.VMOVDQU(Mem{Base: b.from, Index: b.at, Scale: 1, Disp: half * quad * hashBytes}, hash)
		first := [2]string{"first", "firstToo"}[half]
		b.CMPB(bumped, U8(0))
		b.JE(LabelRef(first))
		b.next256(hash)
		b.Label(first)
		b.VMOVDQU(hash, b.quadWord(b.hashes, half))
		b.VPMULUDQ(hash, b.lines, product)
		b.VPSRLQ(U8(26), product, product)
		b.VMOVDQU(product, b.quadWord(b.products, half))
		b.VPANDN(product, b.orders, product)
		b.VMOVDQU(product, b.quadWord(b.offsets, half))
	})
}

// next256 hashes for the next layer: it multiplies by linearNext, and rotates by half.
func (b *linearBatch) next256(hash reg.VecVirtual) {
	low, high, cross, other := b.YMM(), b.YMM(), b.YMM(), b.YMM()
	b.VPBROADCASTQ(b.Words("linearNext", linearNext), low)
	b.VPSRLQ(U8(32), low, high)
	b.VPMULUDQ(hash, high, cross)
	b.VPSRLQ(U8(32), hash, other)
	b.VPMULUDQ(other, low, other)
	b.VPADDQ(other, cross, cross)
	b.VPSLLQ(U8(32), cross, cross)
	b.VPMULUDQ(hash, low, hash)
	b.VPADDQ(cross, hash, hash)
	b.VPSHUFD(U8(0b10_11_00_01), hash, hash)
}

// rows256 multiplies the rows, and queues the bumped keys.
func (b *linearBatch) rows256() {
	seeds, most, shift := b.YMM(), b.YMM(), b.YMM()
	var multipliers [4]uint64 // in doublewords, twice: a bit of the threshold comes after the seed's
	for i := range 2 * len(linearSeeds) {
		multipliers[i/2] |= linearSeeds[i%len(linearSeeds)] << (i % 2 * 32)
	}
	b.VMOVDQU(b.Words("linearMultipliers", multipliers[:]...), seeds)
	b.VPBROADCASTQ(b.Words("highestOrder", 62), most)
	b.VPBROADCASTQ(b.field("rowShift"), shift)
	b.quads("rows", func(half int) {
		header, hash, row, order, threshold := b.YMM(), b.YMM(), b.YMM(), b.YMM(), b.YMM()
		b.VMOVDQU(b.quadWord(b.words[0], half), header)
		b.VMOVDQU(b.quadWord(b.hashes, half), hash)
		b.VPSRLQ(U8(56), header, threshold)
		b.VPERMD(seeds, threshold, threshold) // multiplying ignores the upper half
		b.VPSRLQ(U8(32), hash, row)
		b.VPMULUDQ(threshold, row, row)
		b.VPSRLVQ(shift, row, row)
		b.VMOVDQU(row, b.quadWord(b.multiplied, half))
		b.VPAND(b.quadWord(b.products, half), b.orders, order)
		b.VPMINUD(most, order, order)
		b.VPSRLQ(U8(58), header, threshold)
		b.VPSUBQ(threshold, order, order) // negative below it
		bumped := b.GP64()
		b.VMOVMSKPD(order, bumped.As32())
		b.enqueue256(bumped, hash, half)
	})
}

// enqueue256 puts the bumped keys of a quad into the queue.
func (b *linearBatch) enqueue256(bumped reg.GPVirtual, hash reg.VecVirtual, half int) {
	count, order, number, table := b.GP64(), b.YMM(), b.XMM(), b.GP64()
	b.POPCNTL(bumped.As32(), count.As32())
	quadNumber := b.GP64()
	b.MOVQ(b.at, quadNumber)
	b.SHRQ(U8(5), quadNumber)
	b.MOVB(bumped.As8(), b.below.Offset(half).Idx(quadNumber, 1))
	b.SHLL(U8(4), bumped.As32())
	hashes, numbers := compressions()
	b.LEAQ(b.Words("compressedNumbers", numbers[:]...), table)
	b.VMOVQ(b.numbers16().Offset(half*quad*2), number)
	b.VPSHUFB(Mem{Base: table, Index: bumped, Scale: 1}, number, number)
	b.VMOVQ(number, b.Field(b.queue, "linearQueue", "numbers").Idx(b.queued, 2))
	b.LEAQ(b.Words("compressedHashes", hashes[:]...), table)
	b.VMOVDQU(Mem{Base: table, Index: bumped, Scale: 2}, order)
	b.VPERMD(hash, order, hash)
	b.VMOVDQU(hash, b.Field(b.queue, "linearQueue", "hashes").Idx(b.queued, hashBytes))
	b.ADDQ(count, b.queued)
}

// compressions returns, for every set of a quad's keys, what brings its hashes together,
// as doublewords, and what brings its numbers together, of two bytes.
func compressions() (hashes, numbers []uint64) {
	for set := range 1 << quad {
		var keys []uint64
		for key := range uint64(quad) {
			if set>>key&1 != 0 {
				keys = append(keys, key)
			}
		}
		var quads [quad]uint64
		var number uint64
		for i, key := range keys {
			quads[i] = 2*key | (2*key+1)<<32
			number |= (2*key | (2*key+1)<<8) << (16 * i)
		}
		hashes = append(hashes, quads[:]...)
		numbers = append(numbers, number, 0)
	}
	return hashes, numbers
}

// parities256 finds which bits of a line's bytes are in the row, and their parities: the
// halves of each byte are XORed, and a table has the parity of four bits.
func (b *linearBatch) parities256() {
	var spread [2]reg.VecVirtual
	for i := range spread {
		spread[i] = b.YMM()
		b.VMOVDQU(b.field("spread").Offset(32*i), spread[i])
	}
	table, low := b.YMM(), b.YMM()
	odd := parityTable()
	b.VMOVDQU(b.Words("parityOfFour", odd[:]...), table)
	b.VPBROADCASTQ(b.Words("lowHalves", 0x0f0f0f0f0f0f0f0f), low)
	b.each("parities", func() {
		for key := range octet {
			offset, row := b.GP64(), b.YMM()
			b.MOVQ(b.word(b.offsets).Offset(8*key), offset)
			b.VPBROADCASTQ(b.word(b.multiplied).Offset(8*key), row)
			for i := range spread {
				bytes, upper, mask := b.YMM(), b.YMM(), b.GP32()
				b.VPSHUFB(spread[i], row, bytes)
				b.VPAND(Mem{Base: b.base, Index: offset, Scale: 1, Disp: 32 * i}, bytes, bytes)
				b.VPSRLW(U8(4), bytes, upper)
				b.VPXOR(upper, bytes, bytes)
				b.VPAND(low, bytes, bytes)
				b.VPSHUFB(bytes, table, bytes)
				b.VPMOVMSKB(bytes, mask)
				b.MOVL(mask, b.word(b.masks).Offset(8*key+4*i))
			}
		}
	})
}

// parityTable returns 0x80 for each four bits of odd parity, once for each half of a vector.
func parityTable() (words [4]uint64) {
	for i := range 32 {
		if bits.OnesCount(uint(i%16))%2 != 0 {
			words[i/8] |= 0x80 << (i % 8 * 8)
		}
	}
	return words
}

// answers256 compares the planes and the tail with the fingerprints.
func (b *linearBatch) answers256() {
	high, low, top, fingerprint, zero := b.YMM(), b.YMM(), b.YMM(), b.YMM(), b.YMM()
	var by [3]reg.VecVirtual // one plane, two, four
	for i := range by {
		by[i] = b.YMM()
	}
	b.VPBROADCASTQ(b.Words("linearHigh", linearHigh), high)
	b.VPBROADCASTQ(b.Words("linearLow", linearLow), low)
	b.VPBROADCASTQ(b.field("bits"), by[0])
	b.VPADDQ(by[0], by[0], by[1])
	b.VPADDQ(by[1], by[1], by[2])
	b.VPBROADCASTQ(b.field("top"), top)
	b.VPBROADCASTQ(b.field("fingerprint"), fingerprint)
	b.VPXOR(zero, zero, zero)
	both := b.GP64()
	b.quads("answers", func(half int) {
		sum, shifted := b.YMM(), b.YMM()
		b.VMOVDQU(b.quadWord(b.masks, half), sum)
		for i := range by {
			b.VPSRLVQ(by[len(by)-1-i], sum, shifted)
			b.VPXOR(shifted, sum, sum)
		}
		hash, word := b.YMM(), b.YMM()
		b.VMOVDQU(b.quadWord(b.hashes, half), hash)
		b.VPSRLQ(U8(32), hash, word)
		b.VPMULUDQ(high, word, word)
		b.VPMULUDQ(low, hash, hash)
		b.VPSLLQ(U8(32), hash, hash)
		b.VPXOR(hash, word, word)
		b.VPSRLVQ(top, word, shifted)
		b.VPXOR(shifted, sum, sum)
		b.addTail256(word, sum, half)
		b.VPAND(fingerprint, sum, sum)
		b.VPCMPEQQ(zero, sum, sum)
		quadNumber, answer, bumped := b.GP64(), b.GP64(), b.GP64()
		b.VMOVMSKPD(sum, answer.As32())
		b.MOVQ(b.at, quadNumber)
		b.SHRQ(U8(5), quadNumber)
		b.MOVBLZX(b.below.Offset(half).Idx(quadNumber, 1), bumped.As32())
		b.NOTL(bumped.As32())
		b.ANDL(bumped.As32(), answer.As32())
		if half == 0 {
			b.MOVL(answer.As32(), both.As32())
			return
		}
		b.SHLL(U8(quad), answer.As32())
		b.ORL(answer.As32(), both.As32())
		b.MOVB(both.As8(), Mem{Base: b.hits, Index: b.octetNumber(), Scale: 1})
	})
}

// addTail256 adds the slots of the tail that are in the rows.
func (b *linearBatch) addTail256(word, sum reg.VecVirtual, half int) {
	end, loop := [2]string{"noTail", "noTailToo"}[half], [2]string{"slot", "slotToo"}[half]
	slot, slots, place := b.GP64(), b.GP64(), b.GP64()
	bit, tail, shift, some := b.YMM(), b.YMM(), b.YMM(), b.YMM()
	b.MOVQ(b.field("tail"), slots)
	b.TESTQ(slots, slots)
	b.JZ(LabelRef(end))
	b.VPSRLQ(U8(56), b.loaded256(b.quadWord(b.words[0], half)), tail)
	b.VPSLLQ(U8(62), tail, tail)
	b.VPSRLQ(U8(62-3), tail, tail)
	b.VPSRLVQ(tail, word, word)
	b.LEAQ(b.field("slots"), slot)
	b.VPBROADCASTQ(b.Words("one", 1), bit)
	b.Label(loop)
	b.VPAND(bit, word, some)
	b.VPCMPEQQ(bit, some, some)
	b.VPADDQ(bit, bit, bit)
	b.MOVQ(Mem{Base: slot}, place)
	b.ADDQ(b.at, place)
	b.VMOVDQU(b.words[0].Offset(half*quad*8).Idx(place, 1), tail)
	b.VPBROADCASTQ(Mem{Base: slot, Disp: 8}, shift)
	b.VPSRLVQ(shift, tail, tail)
	b.VPAND(some, tail, tail)
	b.VPXOR(tail, sum, sum)
	b.ADDQ(U8(16), slot)
	b.DECQ(slots)
	b.JNZ(LabelRef(loop))
	b.Label(end)
}

// loaded256 returns a vector with the words.
func (b *linearBatch) loaded256(words Mem) reg.VecVirtual {
	v := b.YMM()
	b.VMOVDQU(words, v)
	return v
}
