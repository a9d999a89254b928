package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// quad is how many words are in a vector of AVX2.
const quad = octet / 2

// linearBatch256 is linearBatch512 with two vectors for an octet, and two for a line.
func linearBatch256(f *kernel.File) {
	b := newLinearBatch(f, kernel.AVX2, "linearLayerAVX2")
	b.lines, b.orders = b.fn.YMM(), b.fn.YMM()
	b.fn.VPBROADCASTQ(b.fn.Address(b.fn.Param("lines")), b.lines)
	b.fn.VPBROADCASTQ(b.fn.Words("orders", 63), b.orders)
	b.emit(linearSteps{b.ahead256, b.locate256, b.rows256, b.parities256, b.answers256})
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

// ahead256 finds the lines of the hashes that are ahead.
func (b *linearBatch) ahead256(hashes reg.GPVirtual) {
	b.quads("ahead", func(half int) {
		offsets := b.fn.YMM()
		b.fn.VPMULUDQ(Mem{Base: hashes, Index: b.at, Scale: 1, Disp: half * quad * hashBytes}, b.lines, offsets)
		b.fn.VPSRLQ(U8(26), offsets, offsets)
		b.fn.VPANDN(offsets, b.orders, offsets)
		b.fn.VMOVDQU(offsets, b.quadWord(b.offsetsAhead, half))
	})
}

// locate256 finds the lines of the hashes, and their places in the lines' orders.
func (b *linearBatch) locate256(bumped Mem) {
	b.quads("lines", func(half int) {
		hash, product := b.fn.YMM(), b.fn.YMM()
		b.fn.VMOVDQU(Mem{Base: b.from, Index: b.at, Scale: 1, Disp: half * quad * hashBytes}, hash)
		first := [2]string{"first", "firstToo"}[half]
		b.fn.CMPB(bumped, U8(0))
		b.fn.JE(LabelRef(first))
		b.next256(hash)
		b.fn.Label(first)
		b.fn.VMOVDQU(hash, b.quadWord(b.hashes, half))
		b.fn.VPMULUDQ(hash, b.lines, product)
		b.fn.VPSRLQ(U8(26), product, product)
		b.fn.VMOVDQU(product, b.quadWord(b.products, half))
		b.fn.VPANDN(product, b.orders, product)
		b.fn.VMOVDQU(product, b.quadWord(b.offsets, half))
	})
}

// next256 hashes for the next layer: it multiplies by linearNext, and rotates by half.
func (b *linearBatch) next256(hash reg.VecVirtual) {
	low, high, cross, other := b.fn.YMM(), b.fn.YMM(), b.fn.YMM(), b.fn.YMM()
	b.fn.VPBROADCASTQ(b.fn.Words("linearNext", linearNext), low)
	b.fn.VPSRLQ(U8(32), low, high)
	b.fn.VPMULUDQ(hash, high, cross)
	b.fn.VPSRLQ(U8(32), hash, other)
	b.fn.VPMULUDQ(other, low, other)
	b.fn.VPADDQ(other, cross, cross)
	b.fn.VPSLLQ(U8(32), cross, cross)
	b.fn.VPMULUDQ(hash, low, hash)
	b.fn.VPADDQ(cross, hash, hash)
	b.fn.VPSHUFD(U8(0b10_11_00_01), hash, hash)
}

// rows256 multiplies the rows, and queues the bumped keys.
func (b *linearBatch) rows256() {
	seeds, most, shift := b.fn.YMM(), b.fn.YMM(), b.fn.YMM()
	var multipliers [4]uint64 // in doublewords, twice: a bit of the threshold comes after the seed's
	for i := range 2 * len(linearSeeds) {
		multipliers[i/2] |= linearSeeds[i%len(linearSeeds)] << (i % 2 * 32)
	}
	b.fn.VMOVDQU(b.fn.Words("linearMultipliers", multipliers[:]...), seeds)
	b.fn.VPBROADCASTQ(b.fn.Words("highestOrder", 62), most)
	b.fn.VPBROADCASTQ(b.field("rowUp"), shift)
	b.quads("rows", func(half int) {
		header, hash, row, order, threshold := b.fn.YMM(), b.fn.YMM(), b.fn.YMM(), b.fn.YMM(), b.fn.YMM()
		b.fn.VMOVDQU(b.quadWord(b.words[0], half), header)
		b.fn.VMOVDQU(b.quadWord(b.hashes, half), hash)
		b.fn.VPSRLQ(U8(56), header, threshold)
		b.fn.VPERMD(seeds, threshold, threshold) // multiplying ignores the upper half
		b.fn.VPSRLQ(U8(32), hash, row)
		b.fn.VPMULUDQ(threshold, row, row)
		b.fn.VPSLLVQ(shift, row, row)
		b.fn.VMOVDQU(row, b.quadWord(b.multiplied, half))
		b.fn.VPAND(b.quadWord(b.products, half), b.orders, order)
		b.fn.VPMINUD(most, order, order)
		b.fn.VPSRLQ(U8(58), header, threshold)
		b.fn.VPSUBQ(threshold, order, order) // negative below it
		bumped := b.fn.GP64()
		b.fn.VMOVMSKPD(order, bumped.As32())
		b.enqueue256(bumped, hash, half)
	})
}

// enqueue256 puts the bumped keys of a quad into the queue.
func (b *linearBatch) enqueue256(bumped reg.GPVirtual, hash reg.VecVirtual, half int) {
	count, order, number, table := b.fn.GP64(), b.fn.YMM(), b.fn.XMM(), b.fn.GP64()
	b.fn.POPCNTL(bumped.As32(), count.As32())
	quadNumber := b.fn.GP64()
	b.fn.MOVQ(b.at, quadNumber)
	b.fn.SHRQ(U8(5), quadNumber)
	b.fn.MOVB(bumped.As8(), b.below.Offset(half).Idx(quadNumber, 1))
	b.fn.SHLL(U8(4), bumped.As32())
	hashes, numbers := compressions()
	b.fn.LEAQ(b.fn.Words("compressedNumbers", numbers[:]...), table)
	b.fn.VMOVQ(b.numbers16().Offset(half*quad*2), number)
	b.fn.VPSHUFB(Mem{Base: table, Index: bumped, Scale: 1}, number, number)
	b.fn.VMOVQ(number, b.fn.Field(b.queue, "linearQueue", "numbers").Idx(b.queued, 2))
	b.fn.LEAQ(b.fn.Words("compressedHashes", hashes[:]...), table)
	b.fn.VMOVDQU(Mem{Base: table, Index: bumped, Scale: 2}, order)
	b.fn.VPERMD(hash, order, hash)
	b.fn.VMOVDQU(hash, b.fn.Field(b.queue, "linearQueue", "hashes").Idx(b.queued, hashBytes))
	b.fn.ADDQ(count, b.queued)
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
func (b *linearBatch) parities256() func(key int) {
	var spread [2]reg.VecVirtual
	for i := range spread {
		spread[i] = b.fn.YMM()
		b.fn.VMOVDQU(b.field("spread").Offset(32*i), spread[i])
	}
	table, low := b.fn.YMM(), b.fn.YMM()
	odd := parityTable()
	b.fn.VMOVDQU(b.fn.Words("parityOfFour", odd[:]...), table)
	b.fn.VPBROADCASTQ(b.fn.Words("lowHalves", lowHalves), low)
	return func(key int) {
		offset, row := b.fn.GP64(), b.fn.YMM()
		b.fn.MOVQ(b.word(b.offsets).Offset(8*key), offset)
		b.fn.VPBROADCASTQ(b.word(b.multiplied).Offset(8*key), row)
		for i := range spread {
			bytes, upper, mask := b.fn.YMM(), b.fn.YMM(), b.fn.GP32()
			b.fn.VPSHUFB(spread[i], row, bytes)
			b.fn.VPAND(Mem{Base: b.base, Index: offset, Scale: 1, Disp: 32 * i}, bytes, bytes)
			b.fn.VPSRLW(U8(4), bytes, upper)
			b.fn.VPXOR(upper, bytes, bytes)
			b.fn.VPAND(low, bytes, bytes)
			b.fn.VPSHUFB(bytes, table, bytes)
			b.fn.VPMOVMSKB(bytes, mask)
			b.fn.MOVL(mask, b.word(b.masks).Offset(8*key+4*i))
		}
	}
}

// lowHalves has the low half of each byte.
const lowHalves = 0x0f0f0f0f0f0f0f0f

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
	high, low, top, fingerprint, zero := b.fn.YMM(), b.fn.YMM(), b.fn.YMM(), b.fn.YMM(), b.fn.YMM()
	var by [3]reg.VecVirtual // one plane, two, four
	for i := range by {
		by[i] = b.fn.YMM()
	}
	b.fn.VPBROADCASTQ(b.fn.Words("linearHigh", linearHigh), high)
	b.fn.VPBROADCASTQ(b.fn.Words("linearLow", linearLow), low)
	b.fn.VPBROADCASTQ(b.field("bits"), by[0])
	b.fn.VPADDQ(by[0], by[0], by[1])
	b.fn.VPADDQ(by[1], by[1], by[2])
	b.fn.VPBROADCASTQ(b.field("top"), top)
	b.fn.VPBROADCASTQ(b.field("fingerprint"), fingerprint)
	b.fn.VPXOR(zero, zero, zero)
	both := b.fn.GP64()
	b.quads("answers", func(half int) {
		sum, shifted := b.fn.YMM(), b.fn.YMM()
		b.fn.VMOVDQU(b.quadWord(b.masks, half), sum)
		for i := range by {
			b.fn.VPSRLVQ(by[len(by)-1-i], sum, shifted)
			b.fn.VPXOR(shifted, sum, sum)
		}
		hash, word := b.fn.YMM(), b.fn.YMM()
		b.fn.VMOVDQU(b.quadWord(b.hashes, half), hash)
		b.fn.VPSRLQ(U8(32), hash, word)
		b.fn.VPMULUDQ(high, word, word)
		b.fn.VPMULUDQ(low, hash, hash)
		b.fn.VPSLLQ(U8(32), hash, hash)
		b.fn.VPXOR(hash, word, word)
		b.fn.VPSRLVQ(top, word, shifted)
		b.fn.VPXOR(shifted, sum, sum)
		b.addTail256(word, sum, half)
		b.fn.VPAND(fingerprint, sum, sum)
		b.fn.VPCMPEQQ(zero, sum, sum)
		quadNumber, answer, bumped := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
		b.fn.VMOVMSKPD(sum, answer.As32())
		b.fn.MOVQ(b.at, quadNumber)
		b.fn.SHRQ(U8(5), quadNumber)
		b.fn.MOVBLZX(b.below.Offset(half).Idx(quadNumber, 1), bumped.As32())
		b.fn.NOTL(bumped.As32())
		b.fn.ANDL(bumped.As32(), answer.As32())
		if half == 0 {
			b.fn.MOVL(answer.As32(), both.As32())
			return
		}
		b.fn.SHLL(U8(quad), answer.As32())
		b.fn.ORL(answer.As32(), both.As32())
		b.fn.MOVB(both.As8(), Mem{Base: b.hits, Index: b.octetNumber(), Scale: 1})
	})
}

// addTail256 adds the slots of the tail that are in the rows.
func (b *linearBatch) addTail256(word, sum reg.VecVirtual, half int) {
	end, loop := [2]string{"noTail", "noTailToo"}[half], [2]string{"slot", "slotToo"}[half]
	slot, slots, place := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	bit, tail, shift, some := b.fn.YMM(), b.fn.YMM(), b.fn.YMM(), b.fn.YMM()
	b.fn.MOVQ(b.field("tail"), slots)
	b.fn.TESTQ(slots, slots)
	b.fn.JZ(LabelRef(end))
	b.fn.VPSRLQ(U8(56), b.loaded256(b.quadWord(b.words[0], half)), tail)
	b.fn.VPSLLQ(U8(62), tail, tail)
	b.fn.VPSRLQ(U8(62-3), tail, tail)
	b.fn.VPSRLVQ(tail, word, word)
	b.fn.LEAQ(b.field("slots"), slot)
	b.fn.VPBROADCASTQ(b.fn.Words("one", 1), bit)
	b.fn.Label(loop)
	b.fn.VPAND(bit, word, some)
	b.fn.VPCMPEQQ(bit, some, some)
	b.fn.VPADDQ(bit, bit, bit)
	b.fn.MOVQ(Mem{Base: slot}, place)
	b.fn.ADDQ(b.at, place)
	b.fn.VMOVDQU(b.words[0].Offset(half*quad*8).Idx(place, 1), tail)
	b.fn.VPBROADCASTQ(Mem{Base: slot, Disp: 8}, shift)
	b.fn.VPSRLVQ(shift, tail, tail)
	b.fn.VPAND(some, tail, tail)
	b.fn.VPXOR(tail, sum, sum)
	b.fn.ADDQ(U8(16), slot)
	b.fn.DECQ(slots)
	b.fn.JNZ(LabelRef(loop))
	b.fn.Label(end)
}

// loaded256 returns a vector with the words.
func (b *linearBatch) loaded256(words Mem) reg.VecVirtual {
	v := b.fn.YMM()
	b.fn.VMOVDQU(words, v)
	return v
}
