package linear

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// answers looks at the lines, and returns a bit for each key. It is set for fallen ones.
func (o *octet512) answers(f found, found reg.GPVirtual) {
	fn := o.fn
	o.emitted++
	label := fmt.Sprint(o.emitted)
	end := "noTail" + label
	o.body = fn.GP64()
	fn.MOVQ(o.field("lines"), o.body)
	for i := range o.shapes {
		o.shapes[i] = fn.GP64()
		fn.MOVQ(o.field("shapes").Offset(8*i), o.shapes[i])
	}
	high, offset := fn.ZMM(), fn.ZMM()
	fn.VPSRLQ(U8(26), f.place, offset)
	fn.VPANDQ_BCST(fn.Words("offsetBits", ^uint64(shared.LineBytes-1)), offset, offset)
	fn.VPSRLQ(U8(32), f.hash, high)
	ends := [2]reg.VecVirtual{fn.ZMM(), fn.ZMM()}
	sum := o.planes(f, high, offset, ends, label)

	word, other, length := fn.ZMM(), fn.ZMM(), o.shape("bits", f.second)
	fn.VPMULUDQ_BCST(fn.Words("linearHigh", linearHigh), high, word)
	fn.VPMULUDQ_BCST(fn.Words("linearLow", linearLow), f.hash, other)
	fn.VPSLLQ(U8(32), other, other)
	fn.VPXORQ(other, word, word)
	row, shift := fn.ZMM(), fn.ZMM()
	fn.CMPQ(o.field("tail"), U8(0))
	fn.JE(LabelRef(end))
	fn.VPERMQ(fn.Words("tailRows", 0, 8, 16, 24, 0, 8, 16, 24), f.header, shift)
	fn.VPSRLVQ(shift, word, row)
	fn.VPANDQ(o.shape("tailMask", f.second), row, row)
	o.tail(ends, offset, row, length, word, end)
	fn.Label(end)

	by := [3]reg.VecVirtual{length, fn.ZMM(), fn.ZMM()}
	for i := range 2 {
		fn.VPADDQ(by[i], by[i], by[i+1])
	}
	for i := range by {
		shifted := fn.ZMM()
		fn.VPSRLVQ(by[len(by)-1-i], sum, shifted)
		fn.VPXORQ(shifted, sum, sum)
	}
	equal := fn.K()
	fn.VPSLLVQ(o.shape("top", f.second), sum, sum)
	fn.VPXORQ(word, sum, sum)
	fn.VPTESTNMQ(o.shape("topBits", f.second), sum, equal)
	if f.fallen != nil {
		fn.KORB(f.fallen, equal, equal)
	}
	fn.KMOVB(equal, found.As32())
}

// shape returns for each key this field of its section's shape.
func (o *octet512) shape(field string, second reg.OpmaskVirtual) reg.VecVirtual {
	z := o.fn.ZMM()
	o.fn.VPBROADCASTQ(o.fn.Field(o.shapes[0], "linearShape", field), z)
	o.fn.VPBROADCASTQ(o.fn.Field(o.shapes[1], "linearShape", field), second, z)
	return z
}

// planes returns the parities of the bytes' bits that are in the keys' rows, and loads the lines' last 16 bytes if
// there is a tail. Lines are the matrices of VGF2P8AFFINEQB: eight of a line's bytes, times one of a row, are eight
// parities. Eight bytes of a line may be of two planes, so a row has two bytes for them, and a vector has those of four
// keys.
func (o *octet512) planes(f found, high, offset reg.VecVirtual, ends [2]reg.VecVirtual, label string) (sum reg.VecVirtual) {
	fn := o.fn
	row, firsts, seconds := fn.ZMM(), fn.ZMM(), fn.ZMM()
	fn.VPERMQ(fn.Words("linearSeeds", append(linearSeeds[:], linearSeeds[:]...)...), f.header, row) // a bit of the threshold comes after the seed's
	fn.VPMULUDQ(high, row, row)
	fn.VPMULTISHIFTQB(row, o.shape("firstPlanes", f.second), firsts)
	fn.VPMULTISHIFTQB(row, o.shape("secondPlanes", f.second), seconds)
	const keys = shared.Octet / 2 // of a vector
	odd, upper := fn.K(), fn.K()
	fn.KMOVQ(fn.Words("oddKeys", 0xcccccccccccccccc), odd)
	fn.KMOVQ(fn.Words("upperKeys", 0xaaaa), upper) // of each word
	var rows, lines [2]reg.VecVirtual
	for half := range rows {
		rows[half] = fn.ZMM()
		fn.VMOVDQU64(fn.Words(fmt.Sprint("rowsOf", half), linearRowBytes(half)...), rows[half])
		fn.VPERMI2B(seconds, firsts, rows[half])
	}
	var pairs [shared.Octet / 2]reg.VecVirtual
	for i := range pairs {
		pairs[i] = fn.ZMM()
	}
	look := func(key int, offset reg.GPVirtual) {
		line := Mem{Base: o.body, Index: offset, Scale: 1}
		if key%2 == 0 {
			fn.VGF2P8AFFINEQB(U8(0), line, rows[key/keys], pairs[key/2])
		} else {
			fn.VGF2P8AFFINEQB(U8(0), line, rows[key/keys], odd, pairs[key/2])
		}
	}
	fn.CMPQ(o.field("tail"), U8(0))
	fn.JNE(LabelRef("tail" + label))
	o.each(offset, look)
	fn.JMP(LabelRef("planes" + label))
	fn.Label("tail" + label)
	o.each(offset, func(key int, offset reg.GPVirtual) {
		look(key, offset)
		o.loadEnd(shared.LineBytes-16, key, offset, ends)
	})
	fn.Label("planes" + label)
	for half := range lines {
		lines[half] = pairs[2*half]
		fn.VPBLENDMD(pairs[2*half+1], pairs[2*half], upper, lines[half])
	}
	var planes [2]reg.VecVirtual
	for i := range planes {
		planes[i] = fn.ZMM()
		fn.VMOVDQU64(fn.Words(fmt.Sprint("planesOf", i), linearPlaneBytes(i)...), planes[i])
		fn.VPERMI2B(lines[1], lines[0], planes[i])
		fn.VPANDQ(o.shape([]string{"firstColumns", "secondColumns"}[i], f.second), planes[i], planes[i])
	}
	sum = fn.ZMM()
	fn.VPORQ(planes[0], planes[1], sum)
	fn.VGF2P8AFFINEQB_BCST(U8(0), fn.Words("bitsOfBytes", 0x8040201008040201), sum, sum) // from the upper bit down
	return sum
}

// linearRowBytes returns where the rows' bytes of four keys are, among those of the planes that are first in words of
// lines, and then of the second ones.
func linearRowBytes(half int) (words []uint64) {
	for of := range uint64(8) {
		word := uint64(0)
		for key := range uint64(4) {
			word |= (uint64(half*32) + 8*key + of) << (16 * key)
			word |= (64 + uint64(half*32) + 8*key + of) << (16*key + 8)
		}
		words = append(words, word)
	}
	return words
}

// linearPlaneBytes returns where the parities of eight keys with first planes are, or with second ones.
func linearPlaneBytes(plane int) (words []uint64) {
	for key := range uint64(shared.Octet) {
		word := uint64(0)
		for of := range uint64(8) {
			word |= (key/4*64 + 8*of + 2*(key%4) + uint64(plane)) << (8 * of)
		}
		words = append(words, word)
	}
	return words
}

// tail adds the slots of the tail that are in the rows, at the upper end.
func (o *octet512) tail(ends [2]reg.VecVirtual, offset, row, length, sum reg.VecVirtual, end string) {
	fn := o.fn
	tails := [linearTailWords]reg.VecVirtual{fn.ZMM(), fn.ZMM(), fn.ZMM()}
	fn.VPUNPCKHQDQ(ends[1], ends[0], tails[0])
	fn.VPUNPCKLQDQ(ends[1], ends[0], tails[1])
	fn.CMPQ(o.field("tailWords"), U8(2))
	fn.JLE(LabelRef("twoWords" + end))
	o.each(offset, func(key int, offset reg.GPVirtual) { o.loadEnd(shared.LineBytes-32, key, offset, ends) })
	fn.VPUNPCKHQDQ(ends[1], ends[0], tails[2])
	o.slotsOf(3, tails, row, length, sum, end)
	fn.JMP(LabelRef(end))
	fn.Label("twoWords" + end)
	o.slotsOf(2, tails, row, length, sum, end)
}

// loadEnd loads 16 bytes of a key's line: of the even keys, or of the odd ones.
func (o *octet512) loadEnd(at, key int, offset reg.GPVirtual, ends [2]reg.VecVirtual) {
	line, of := Mem{Base: o.body, Index: offset, Scale: 1, Disp: at}, ends[key%2]
	if key < 2 {
		o.fn.VBROADCASTI64X2(line, of)
	} else {
		o.fn.VINSERTI64X2(U8(uint8(key/2)), line, of, of)
	}
}

// slotsOf adds slots from the tail in the given number of words.
func (o *octet512) slotsOf(words int, tails [linearTailWords]reg.VecVirtual, row, length, sum reg.VecVirtual, end string) {
	fn := o.fn
	for slot := range 8 {
		if slot > 0 {
			fn.CMPQ(o.field("tail"), U8(uint8(slot)))
			fn.JLE(LabelRef(end))
			for i := range words - 1 {
				fn.VPSHLDVQ(length, tails[i+1], tails[i])
			}
			fn.VPSLLVQ(length, tails[words-1], tails[words-1])
		}
		some := fn.K()
		fn.VPTESTMQ_BCST(fn.Words(fmt.Sprint("slot", slot), 1<<slot), row, some)
		fn.VPXORQ(tails[0], sum, some, sum)
	}
}
