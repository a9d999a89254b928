package linear

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// batch256 is batch512 with two vectors for an octet, and two for a line.
func batch256(f *kernel.File) {
	b := newBatch(f, kernel.AVX2, "linearContainsBatchAVX2")
	b.steps = steps{2, b.place256, b.bumped256, b.rows256, b.spread256, b.parities256, b.answers256}
	b.emit()
}

// every256 broadcasts a word.
func (b *batch) every256(name string, word uint64) reg.VecVirtual {
	y := b.fn.YMM()
	b.fn.VPBROADCASTQ(b.fn.Words(name, word), y)
	return y
}

// four returns the address of a vector of the word.
func (b *batch) four(name string, word uint64) Mem {
	return b.fn.Words(name+"FourTimes", word, word, word, word)
}

// place256 mixes hashes, and places them in the layer.
func (b *batch) place256(layer reg.GPVirtual) func(half int, hashes, own, places Mem) {
	factor, upper := b.every256("linearMix", linearMix), b.every256("linearMixUpper", linearMix>>32)
	low, one := b.every256("lowByte", 0xff), b.fn.YMM()
	cut, zero := b.fn.YMM(), b.fn.YMM()
	b.fn.VPBROADCASTD(Mem{Base: layer, Disp: linearLayerCut}, cut)
	b.fn.VPXOR(zero, zero, zero)
	b.fn.VPCMPEQD(zero, cut, one) // the layer has one section
	b.fn.VPSRLQ(U8(32), cut, cut)
	var multipliers, firsts [2]reg.VecVirtual
	for i := range 2 {
		multipliers[i], firsts[i] = b.fn.YMM(), b.fn.YMM()
		b.fn.VPBROADCASTD(Mem{Base: layer, Disp: linearLayerMultiplier + i*linearSectionBytes}, multipliers[i])
		b.fn.VPBROADCASTD(Mem{Base: layer, Disp: linearLayerFirst + i*linearSectionBytes}, firsts[i])
		b.fn.VPSLLQ(U8(32), firsts[i], firsts[i])
	}
	b.fn.VPOR(b.four("secondSection", shared.LineBytes), firsts[1], firsts[1])
	b.fn.VPBLENDVB(one, multipliers[1], multipliers[0], multipliers[0])
	b.fn.VPBLENDVB(one, firsts[1], firsts[0], firsts[0])
	return func(half int, hashes, own, places Mem) {
		hash, cross, other := b.fn.YMM(), b.fn.YMM(), b.fn.YMM()
		b.fn.VMOVDQU(hashes.Offset(half*quadBytes), hash)
		b.fn.VPSRLQ(U8(32), hash, other)
		b.fn.VPXOR(other, hash, hash)
		b.fn.VPMULUDQ(hash, upper, cross)
		b.fn.VPMULUDQ(other, factor, other)
		b.fn.VPADDQ(other, cross, cross)
		b.fn.VPSLLQ(U8(32), cross, cross)
		b.fn.VPMULUDQ(hash, factor, hash)
		b.fn.VPADDQ(cross, hash, hash)

		first := b.fn.YMM()
		b.fn.VPSUBD(cut, hash, other)
		b.fn.VPMINUD(hash, other, other) // below the cut, the difference is larger than the hash
		b.fn.VMOVDQU(other, own.Offset(half*quadBytes))
		b.fn.VPCMPEQQ(hash, other, first)
		b.fn.VPBLENDVB(first, multipliers[0], multipliers[1], hash)
		b.fn.VPMULUDQ(hash, other, hash)
		b.fn.VPANDN(hash, low, hash)
		b.fn.VPBLENDVB(first, firsts[0], firsts[1], other)
		b.fn.VPADDQ(other, hash, hash)
		b.fn.VMOVDQU(hash, places.Offset(half*quadBytes))
	}
}

// bumped256 appends the numbers of bumped keys.
func (b *batch) bumped256() func(half int, places, headers, numbers Mem) {
	highest, table := b.every256("highestPlace", linearHighestPlace), b.fn.GP64()
	b.fn.LEAQ(b.fn.Words("compressedNumbers", compressedNumbers()...), table)
	return func(half int, places, headers, numbers Mem) {
		order, header, number, count, bumped := b.fn.YMM(), b.fn.YMM(), b.fn.XMM(), b.fn.GP64(), b.fn.GP64()
		b.fn.VPMINUD(places.Offset(half*quadBytes), highest, order)
		b.fn.VPMOVZXBQ(headers.Offset(half*shared.Quad), header)
		b.fn.VPSRLQ(U8(2), header, header)
		b.fn.VPSLLQ(U8(26), header, header)
		b.fn.VPSUBQ(header, order, order) // negative below it
		b.fn.VMOVMSKPD(order, bumped.As32())
		b.fn.POPCNTL(bumped.As32(), count.As32())
		b.fn.SHLL(U8(4), bumped.As32())
		b.fn.VMOVQ(numbers.Offset(half*shared.Quad*2), number)
		b.fn.VPSHUFB(Mem{Base: table, Index: bumped, Scale: 1}, number, number)
		b.fn.VMOVQ(number, b.numbers.Idx(b.bumped, 2))
		b.fn.ADDQ(count, b.bumped)
	}
}

// compressedNumbers returns, for every set of a quad's keys, what brings its numbers together, of two bytes.
func compressedNumbers() (words []uint64) {
	for set := range uint(1 << shared.Quad) {
		number, n := uint64(0), 0
		for key := range uint64(shared.Quad) {
			if set>>key&1 != 0 {
				number |= (2*key | (2*key+1)<<8) << n
				n += 16
			}
		}
		words = append(words, number, 0)
	}
	return words
}

// rows256 prepares keys of a block. The lowest byte of a word is the row of the tail.
func (b *batch) rows256() func(half int, hashes, places, headers Mem, at reg.GPVirtual) {
	seeds, high, low := b.fn.YMM(), b.every256("linearHigh", linearHigh), b.every256("linearLow", linearLow)
	var multipliers [4]uint64 // in doublewords, twice: a bit of the threshold comes after the seed's
	for i := range 2 * len(linearSeeds) {
		multipliers[i/2] |= linearSeeds[i%len(linearSeeds)] << (i % 2 * 32)
	}
	b.fn.VMOVDQU(b.fn.Words("linearMultipliers", multipliers[:]...), seeds)
	orders, tails, up := b.every256("orders", 63), b.every256("lowByte", 0xff), b.field256("rowUp")
	return func(half int, hashes, places, headers Mem, at reg.GPVirtual) {
		place, header, row, word, other := b.fn.YMM(), b.fn.YMM(), b.fn.YMM(), b.fn.YMM(), b.fn.YMM()
		to := func(words Mem) Mem { return words.Offset(half*quadBytes).Idx(at, 8) }
		b.fn.VMOVDQU(places.Offset(half*quadBytes), place)
		b.fn.VPMOVZXBQ(headers.Offset(half*shared.Quad), header)
		b.fn.VMOVDQU(hashes.Offset(half*quadBytes+4), word) // the lower halves are the upper ones of the hashes
		b.fn.VPERMD(seeds, header, row)                     // multiplying ignores the upper half
		b.fn.VPMULUDQ(word, row, row)
		b.fn.VPSLLVQ(b.chosen256(up, b.second256(place)), row, row)
		b.fn.VMOVDQU(row, to(b.block.rows))

		b.fn.VPMULUDQ(high, word, word)
		b.fn.VPMULUDQ(hashes.Offset(half*quadBytes), low, other)
		b.fn.VPSLLQ(U8(32), other, other)
		b.fn.VPXOR(other, word, word)
		b.fn.VPSLLQ(U8(62), header, header)
		b.fn.VPSRLQ(U8(62-3), header, header)
		b.fn.VPSRLVQ(header, word, other)
		b.fn.VPBLENDVB(tails, other, word, word)
		b.fn.VMOVDQU(word, to(b.block.words))

		b.fn.VPSRLQ(U8(26), place, place)
		b.fn.VPANDN(place, orders, place)
		b.fn.VMOVDQU(place, to(b.block.offsets))
	}
}

// second256 returns vectors whose upper bits say which of the places are in second sections.
func (b *batch) second256(place Op) reg.VecVirtual {
	second := b.fn.YMM()
	b.fn.VPSLLQ(U8(63-lineShift), place, second)
	return second
}

// field256 broadcasts a field of the shapes of both sections.
func (b *batch) field256(name string) (of [2]reg.VecVirtual) {
	for i := range of {
		of[i] = b.fn.YMM()
		b.fn.VPBROADCASTQ(b.fn.Field(b.shape(i), "linearShape", name), of[i])
	}
	return of
}

// chosen256 returns for each key the value of its section, the first or the second of the two.
func (b *batch) chosen256(of [2]reg.VecVirtual, second reg.VecVirtual) reg.VecVirtual {
	y := b.fn.YMM()
	b.fn.VBLENDVPD(second, of[1], of[0], y)
	return y
}

// spread256 brings the row's bytes to those of the line.
func (b *batch) spread256(shape reg.GPVirtual) Mem {
	return b.fn.Field(shape, "linearShape", "spread")
}

// parities256 finds which bits of a line's bytes are in the row, and their parities: the halves of each byte
// are XORed, and a table has the parity of four bits.
func (b *batch) parities256() func(row, line, spread, parities Mem) {
	table, low := b.fn.YMM(), b.every256("lowHalves", shared.LowHalves)
	odd := shared.ParityTable()
	b.fn.VMOVDQU(b.fn.Words("parityOfFour", odd[:]...), table)
	return func(row, line, spread, parities Mem) {
		rows := b.fn.YMM()
		b.fn.VPBROADCASTQ(row, rows)
		for i := range 2 {
			bytes, upper, mask := b.fn.YMM(), b.fn.YMM(), b.fn.GP32()
			b.fn.VPSHUFB(spread.Offset(i*shared.LineBytes/2), rows, bytes)
			b.fn.VPAND(line.Offset(i*shared.LineBytes/2), bytes, bytes)
			b.fn.VPSRLW(U8(4), bytes, upper)
			b.fn.VPXOR(upper, bytes, bytes)
			b.fn.VPAND(low, bytes, bytes)
			b.fn.VPSHUFB(bytes, table, bytes)
			b.fn.VPMOVMSKB(bytes, mask)
			b.fn.MOVL(mask, parities.Offset(4*i))
		}
	}
}

// answers256 compares the planes and the tail with the fingerprints, which are at the upper end of the
// words.
func (b *batch) answers256(words int) func(half int, places Mem, at, slots, found reg.GPVirtual) {
	lengths, tails, wordBits := b.field256("bits"), b.field256("tailMask"), b.every256("wordBits", 64)
	return func(half int, places Mem, at, slots, found reg.GPVirtual) {
		sum, shifted, word, top := b.fn.YMM(), b.fn.YMM(), b.fn.YMM(), b.fn.YMM()
		from := func(words Mem) Mem { return words.Offset(half*quadBytes).Idx(at, 8) }
		b.fn.VMOVDQU(places.Offset(half*quadBytes), word)
		second := b.second256(word)
		one := b.chosen256(lengths, second)
		by := [3]reg.VecVirtual{one, b.fn.YMM(), b.fn.YMM()} // planes: one, two, four
		for i := range 2 {
			b.fn.VPADDQ(by[i], by[i], by[i+1])
		}
		b.fn.VMOVDQU(from(b.block.parities), sum)
		for i := range by {
			if i == 0 && words == linearTailWords {
				continue // lines with so long a tail have at most four planes
			}
			b.fn.VPSRLVQ(by[len(by)-1-i], sum, shifted)
			b.fn.VPXOR(shifted, sum, sum)
		}
		b.fn.VPSUBQ(one, wordBits, top)
		b.fn.VPSLLVQ(top, sum, sum)
		b.fn.VMOVDQU(from(b.block.words), word)
		b.fn.VPXOR(word, sum, sum)
		b.fn.VPAND(b.chosen256(tails, second), word, word)
		b.addTail256(words, half, from, slots, one, top, word, sum)
		b.fn.VPSRLVQ(top, sum, sum)
		zero, right := b.fn.YMM(), b.fn.GP64()
		b.fn.VPXOR(zero, zero, zero)
		b.fn.VPCMPEQQ(zero, sum, sum)
		b.fn.VMOVMSKPD(sum, right.As32())
		if half > 0 {
			b.fn.SHLL(U8(shared.Quad), right.As32())
		}
		b.fn.SHLXQ(at, right, right)
		b.fn.ORQ(right, found)
	}
}

// addTail256 adds the slots of the tail that are in the rows.
func (b *batch) addTail256(words, half int, from func(Mem) Mem, slots reg.GPVirtual, length, top, row, sum reg.VecVirtual) {
	var tail [linearTailWords]reg.VecVirtual
	for i := range words {
		tail[i] = b.fn.YMM()
		b.fn.VMOVDQU(from(b.block.tails[i]), tail[i])
	}
	end := fmt.Sprintf("noSlot%dOf%d", half, words)
	for slot := range 8 {
		some := b.fn.YMM()
		if slot > 0 {
			b.fn.CMPQ(slots, U8(uint8(slot)))
			b.fn.JLE(LabelRef(end))
			for i := range words {
				b.fn.VPSLLVQ(length, tail[i], tail[i])
				if i+1 < words {
					b.fn.VPSRLVQ(top, tail[i+1], some)
					b.fn.VPOR(some, tail[i], tail[i])
				}
			}
		}
		bit := b.four(fmt.Sprint("slot", slot), 1<<slot)
		b.fn.VPAND(bit, row, some)
		b.fn.VPCMPEQQ(bit, some, some)
		b.fn.VPAND(tail[0], some, some)
		b.fn.VPXOR(some, sum, sum)
	}
	b.fn.Label(end)
}
