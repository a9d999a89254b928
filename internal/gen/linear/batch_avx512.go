package linear

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// batch512 has one loop for all lengths of fingerprints: the shape's vectors say where planes and
// slots are.
func batch512(f *kernel.File) {
	b := newBatch(f, kernel.AVX512, "linearContainsBatchAVX512")
	b.steps = steps{1, b.place512, b.bumped512, b.rows512, b.pick512, b.parities512, b.answers512}
	b.emit()
}

// every broadcasts a word.
func (b *batch) every512(name string, word uint64) reg.VecVirtual {
	z := b.fn.ZMM()
	b.fn.VPBROADCASTQ(b.fn.Words(name, word), z)
	return z
}

// place512 mixes hashes, and places them in the layer.
func (b *batch) place512(layer reg.GPVirtual) func(half int, hashes, own, places Mem) {
	factor := b.every512("linearMix", linearMix)
	low := b.every512("lowByte", 0xff)
	cut, cutHigh := b.fn.ZMM(), b.fn.ZMM()
	b.fn.VPBROADCASTD(Mem{Base: layer, Disp: linearLayerCut}, cut)
	b.fn.VPSLLQ(U8(32), cut, cutHigh)
	b.fn.VPSRLQ(U8(32), cut, cut)
	var multipliers, firsts [2]reg.VecVirtual
	for i := range 2 {
		multipliers[i], firsts[i] = b.fn.ZMM(), b.fn.ZMM()
		b.fn.VPBROADCASTD(Mem{Base: layer, Disp: linearLayerMultiplier + i*linearSectionBytes}, multipliers[i])
		b.fn.VPBROADCASTD(Mem{Base: layer, Disp: linearLayerFirst + i*linearSectionBytes}, firsts[i])
		b.fn.VPSLLQ(U8(32), firsts[i], firsts[i])
	}
	b.fn.VPORQ(b.every512("secondSection", shared.LineBytes), firsts[1], firsts[1])
	return func(_ int, hashes, own, places Mem) {
		hash, other, second := b.fn.ZMM(), b.fn.ZMM(), b.fn.K()
		b.fn.VMOVDQU64(hashes, hash)
		b.fn.VPSRLQ(U8(32), hash, other)
		b.fn.VPXORQ(other, hash, hash)
		b.fn.VPMULLQ(factor, hash, hash)
		b.fn.VPSLLQ(U8(32), hash, other)
		const notLess = 5
		b.fn.VPCMPUQ(U8(notLess), cutHigh, other, second)
		b.fn.VPSUBQ(cut, hash, second, hash)
		b.fn.VMOVDQU64(hash, own)
		multiplier, first := b.fn.ZMM(), b.fn.ZMM()
		b.fn.VPBLENDMQ(multipliers[1], multipliers[0], second, multiplier)
		b.fn.VPBLENDMQ(firsts[1], firsts[0], second, first)
		b.fn.VPMULUDQ(multiplier, hash, hash)
		b.fn.VPANDNQ(hash, low, hash)
		b.fn.VPADDQ(first, hash, hash)
		b.fn.VMOVDQU64(hash, places)
	}
}

// bumped512 appends the numbers of bumped keys.
func (b *batch) bumped512() func(half int, places, headers, numbers Mem) {
	highest := b.every512("highestPlace", linearHighestPlace)
	threshold, bits := b.fn.ZMM(), b.every512("thresholdBits", 0xfc000000)
	b.fn.VMOVDQU64(b.fn.Words("headerBytes", highBytes()...), threshold)
	return func(_ int, places, headers, numbers Mem) {
		order, header, number, count, bumped := b.fn.ZMM(), b.fn.ZMM(), b.fn.XMM(), b.fn.GP64(), b.fn.K()
		b.fn.VMOVDQU(numbers, number)
		b.fn.VPMINUD(places, highest, order)
		b.fn.VPBROADCASTQ(headers, header)
		b.fn.VPSHUFB(threshold, header, header)
		b.fn.VPANDQ(bits, header, header)
		b.fn.VPCMPUQ(U8(less), header, order, bumped)
		b.fn.KMOVB(bumped, count.As32())
		b.fn.POPCNTL(count.As32(), count.As32())
		b.fn.VPCOMPRESSW_Z(number, bumped, number) // to memory it is slow
		b.fn.VMOVDQU(number, b.numbers.Idx(b.bumped, 2))
		b.fn.ADDQ(count, b.bumped)
	}
}

// highBytes brings byte i to the upper end of the lower half of word i.
func highBytes() (words []uint64) {
	for i := uint64(0); i < shared.Octet; i++ {
		words = append(words, 0x80808080_00808080|i<<24)
	}
	return words
}

// rows512 prepares keys of a block. The lowest byte of a word is the row of the tail, since no
// fingerprint has more than 56 bits.
func (b *batch) rows512() func(half int, hashes, places, headers Mem, at reg.GPVirtual) {
	seeds, shifts := b.fn.ZMM(), b.fn.ZMM()
	b.fn.VMOVDQU64(b.fn.Words("linearSeeds", slices.Repeat(linearSeeds[:], 2)...), seeds) // a bit of the threshold comes after the seed's
	b.fn.VMOVDQU64(b.fn.Words("tailRows", slices.Repeat([]uint64{0, 8, 16, 24}, 2)...), shifts)
	high, low, orders := b.every512("linearHigh", linearHigh), b.every512("linearLow", linearLow), b.every512("orders", 63)
	up, section, bytes, all := b.field512("rowUp"), b.every512("secondSection", shared.LineBytes), b.fn.K(), b.fn.GP64()
	b.fn.MOVQ(U64(0x0101010101010101), all)
	b.fn.KMOVQ(all, bytes)
	return func(_ int, hashes, places, headers Mem, at reg.GPVirtual) {
		place, header, row, word, other, second := b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.K()
		b.fn.VMOVDQU64(places, place)
		b.fn.VPMOVZXBQ(headers, header)
		b.fn.VMOVDQU64(hashes.Offset(4), word) // the lower halves are the upper ones of the hashes
		b.fn.VPERMQ(seeds, header, row)
		b.fn.VPMULUDQ(word, row, row)
		b.fn.VPTESTMQ(place, section, second)
		b.fn.VPSLLVQ(b.chosen512(up, second), row, row)
		b.fn.VMOVDQU64(row, b.block.rows.Idx(at, 8))

		b.fn.VPMULUDQ(high, word, word)
		b.fn.VPMULUDQ(hashes, low, other)
		b.fn.VPSLLQ(U8(32), other, other)
		b.fn.VPXORQ(other, word, word)
		b.fn.VPERMQ(shifts, header, header)
		b.fn.VPMULTISHIFTQB(word, header, bytes, word)
		b.fn.VMOVDQU64(word, b.block.words.Idx(at, 8))

		b.fn.VPSRLQ(U8(26), place, place)
		b.fn.VPANDNQ(place, orders, place)
		b.fn.VMOVDQU64(place, b.block.offsets.Idx(at, 8))
	}
}

// field512 broadcasts a field of the shapes of both sections.
func (b *batch) field512(name string) (of [2]reg.VecVirtual) {
	for i := range of {
		of[i] = b.fn.ZMM()
		b.fn.VPBROADCASTQ(b.fn.Field(b.shape(i), "linearShape", name), of[i])
	}
	return of
}

// chosen512 returns for each key the value of its section, the first or the second of the two.
func (b *batch) chosen512(of [2]reg.VecVirtual, second reg.OpmaskVirtual) reg.VecVirtual {
	z := b.fn.ZMM()
	b.fn.VPBLENDMQ(of[1], of[0], second, z)
	return z
}

// pick512 has the bit that is the parity of the row's byte and the line's, if the matrix is the row.
func (b *batch) pick512(shape reg.GPVirtual) Mem {
	return b.fn.Field(shape, "linearShape", "pick")
}

// parities512 finds which bits of a line's bytes are in the row, and their parities. The matrix has the
// bytes of all planes, so that the result has the parities of a byte with each of them.
func (b *batch) parities512() func(row, line, pick, parities Mem) {
	return func(row, line, pick, parities Mem) {
		bytes, mask := b.fn.ZMM(), b.fn.K()
		b.fn.VMOVDQU64(line, bytes)
		b.fn.VGF2P8AFFINEQB_BCST(U8(0), row, bytes, bytes)
		b.fn.VPTESTMB(pick, bytes, mask)
		b.fn.KMOVQ(mask, parities)
	}
}

// answers512 compares the planes and the tail with the fingerprints, which are at the upper end of the
// words. Slots of the tail come there one after the other.
func (b *batch) answers512(words int) func(half int, places Mem, at, slots, found reg.GPVirtual) {
	lengths, tails := b.field512("bits"), b.field512("tailMask")
	section, wordBits := b.every512("secondSection", shared.LineBytes), b.every512("wordBits", 64)
	return func(_ int, places Mem, at, slots, found reg.GPVirtual) {
		sum, shifted, word, row, top, second := b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.ZMM(), b.fn.K()
		b.fn.VPTESTMQ(places, section, second)
		one := b.chosen512(lengths, second)
		by := [3]reg.VecVirtual{one, b.fn.ZMM(), b.fn.ZMM()} // planes: one, two, four
		for i := range 2 {
			b.fn.VPADDQ(by[i], by[i], by[i+1])
		}
		b.fn.VMOVDQU64(b.block.parities.Idx(at, 8), sum)
		for i := range by {
			if i == 0 && words == linearTailWords {
				continue // lines with so long a tail have at most four planes
			}
			b.fn.VPSRLVQ(by[len(by)-1-i], sum, shifted)
			b.fn.VPXORQ(shifted, sum, sum)
		}
		b.fn.VPSUBQ(one, wordBits, top)
		b.fn.VPSLLVQ(top, sum, sum)
		b.fn.VMOVDQU64(b.block.words.Idx(at, 8), word)
		b.fn.VPXORQ(word, sum, sum)
		if words > 0 {
			b.fn.VPANDQ(b.chosen512(tails, second), word, row)
			b.addTail512(words, at, slots, one, row, sum)
		}
		b.fn.VPSRLVQ(top, sum, sum)
		right, bits := b.fn.K(), b.fn.GP64()
		b.fn.VPTESTNMQ(sum, sum, right)
		b.fn.KMOVB(right, bits.As32())
		b.fn.SHLXQ(at, bits, bits)
		b.fn.ORQ(bits, found)
	}
}

// addTail512 adds the slots of the tail that are in the rows.
func (b *batch) addTail512(words int, at, slots reg.GPVirtual, length, row, sum reg.VecVirtual) {
	var tail [linearTailWords]reg.VecVirtual
	for i := range words {
		tail[i] = b.fn.ZMM()
		b.fn.VMOVDQU64(b.block.tails[i].Idx(at, 8), tail[i])
	}
	end := fmt.Sprint("noSlot", words)
	for slot := range 8 {
		if slot > 0 {
			b.fn.CMPQ(slots, U8(uint8(slot)))
			b.fn.JLE(LabelRef(end))
			for i := range words - 1 {
				b.fn.VPSHLDVQ(length, tail[i+1], tail[i])
			}
			b.fn.VPSLLVQ(length, tail[words-1], tail[words-1])
		}
		some := b.fn.K()
		b.fn.VPTESTMQ_BCST(b.fn.Words(fmt.Sprint("slot", slot), 1<<slot), row, some)
		b.fn.VPXORQ(tail[0], sum, some, sum)
	}
	b.fn.Label(end)
}
