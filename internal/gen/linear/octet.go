package linear

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A octet512 looks eight keys up at once, in registers.
type octet512 struct {
	fn      *kernel.Function
	field   func(name string) Mem
	scratch Mem      // a vector whose words are loaded one by one
	emitted int      // how many answers are: labels have the number
	later   []func() // what is emitted behind the rest

	body   reg.GPVirtual
	shapes [2]reg.GPVirtual // of first and second sections
}

// found is eight keys whose lines are found.
type found struct {
	hash   reg.VecVirtual    // as their sections have them
	place  reg.VecVirtual    // the line's number in the upper half, the order at the upper end of the lower one
	header reg.VecVirtual    // of the line
	second reg.OpmaskVirtual // those in second sections
	fallen reg.OpmaskVirtual // those that no line holds
}

func newOctet512(fn *kernel.Function, scratch Mem) *octet512 {
	return &octet512{fn: fn, field: shared.FieldOf(fn, fn.Load(fn.Param("k"), fn.GP64())), scratch: scratch}
}

// find finds the lines of hashes. Most keys are in the first two layers, which are looked at for all, because
// nobody can predict which keys need the second one.
func (o *octet512) find(label string, hash reg.VecVirtual) found {
	fn := o.fn
	headers, upper, f := fn.GP64(), fn.ZMM(), found{hash: hash, fallen: fn.K()}
	fn.MOVQ(o.field("linearHeaders"), headers)
	fn.VPSRLQ(U8(32), hash, upper)
	fn.VPXORQ(upper, hash, hash)
	fn.VPMULLQ_BCST(fn.Words("linearMix", linearMix), hash, hash)
	f.place, f.second = o.place(0, hash)
	f.header = o.load(f.place, headers)
	fn.KXNORB(f.fallen, f.fallen, f.fallen)
	o.bumped(f.place, f.header, f.fallen)
	fn.CMPQ(o.field("linear.number"), U8(1))
	fn.JE(LabelRef("found" + label))
	next, again := o.next(hash), fn.GP64()
	place, second := o.place(1, next)
	o.replace(&f, next, place, second, headers)
	fn.KMOVB(f.fallen, again.As32())
	fn.TESTL(again.As32(), again.As32())
	fn.JNZ(LabelRef("more" + label))
	fn.Label("found" + label)
	o.later = append(o.later, func() { o.more(label, f, headers) })
	return f
}

// more finds the lines of keys that the first two layers do not hold, if there are more layers.
func (o *octet512) more(label string, f found, headers reg.GPVirtual) {
	fn := o.fn
	layer, end, again := fn.GP64(), fn.GP64(), fn.GP64()
	fn.Label("more" + label)
	fn.LEAQ(o.field("linear.layers").Offset(linearLayerBytes), layer)
	fn.IMUL3Q(U8(linearLayerBytes), o.field("linear.number"), end)
	fn.LEAQ(Mem{Base: layer, Index: end, Scale: 1, Disp: -linearLayerBytes}, end)
	fn.Label("layer" + label)
	fn.ADDQ(U8(linearLayerBytes), layer)
	fn.CMPQ(layer, end)
	fn.JAE(LabelRef("found" + label))
	next := o.next(f.hash)
	place, second := o.placeIn(layer, next)
	o.replace(&f, next, place, second, headers)
	fn.KMOVB(f.fallen, again.As32())
	fn.TESTL(again.As32(), again.As32())
	fn.JNZ(LabelRef("layer" + label))
	fn.JMP(LabelRef("found" + label))
}

// next returns the hashes for the next layer.
func (o *octet512) next(hash reg.VecVirtual) reg.VecVirtual {
	next := o.fn.ZMM()
	o.fn.VPMULLQ_BCST(o.fn.Words("linearNext", linearNext), hash, next)
	o.fn.VPROLQ(U8(32), next, next)
	return next
}

// replace replaces the places of the keys that were bumped.
func (o *octet512) replace(f *found, hash, place reg.VecVirtual, second reg.OpmaskVirtual, headers reg.GPVirtual) {
	fn, header, same := o.fn, o.load(place, headers), o.fn.K()
	fn.VMOVDQA64(hash, f.fallen, f.hash)
	fn.VMOVDQA64(place, f.fallen, f.place)
	fn.VMOVDQA64(header, f.fallen, f.header)
	fn.KANDNB(f.second, f.fallen, same)
	fn.KANDB(second, f.fallen, second)
	fn.KORB(same, second, f.second)
	o.bumped(place, header, f.fallen)
}

// place places hashes in one of the first two layers, as their sections have them then.
func (o *octet512) place(layer int, hash reg.VecVirtual) (place reg.VecVirtual, second reg.OpmaskVirtual) {
	fn := o.fn
	low, other := fn.ZMM(), fn.ZMM()
	place, second = fn.ZMM(), fn.K()
	start := func(name string, section int) Mem { return start(fn, o.field, layer, name, section) }
	fn.VPANDQ_BCST(fn.Words("lowerHalf", 1<<32-1), hash, low)
	const notLess = 5
	fn.VPCMPUQ_BCST(U8(notLess), start("cuts", 1), low, second)
	fn.VPMULUDQ_BCST(start("multipliers", 0), hash, place)
	fn.VPMULUDQ_BCST(start("multipliers", 1), hash, other)
	fn.VPADDQ_BCST(start("places", 0), place, place)
	fn.VPADDQ_BCST(start("places", 1), other, second, place)
	fn.VPSUBQ_BCST(start("cuts", 1), hash, second, hash)
	return place, second
}

// placeIn places them in any layer.
func (o *octet512) placeIn(layer reg.GPVirtual, hash reg.VecVirtual) (place reg.VecVirtual, second reg.OpmaskVirtual) {
	fn := o.fn
	cut, low, section := fn.ZMM(), fn.ZMM(), fn.ZMM()
	place, second = fn.ZMM(), fn.K()
	const notLess = 5
	at := func(field int) Mem { return Mem{Base: layer, Disp: field} }
	fn.VPBROADCASTQ(at(linearLayerCut), cut)
	fn.VPSLLQ(U8(32), cut, cut)
	fn.VPSLLQ(U8(32), hash, low)
	fn.VPCMPUQ(U8(notLess), cut, low, second)
	fn.VPSRLQ(U8(32), cut, cut)
	fn.VPSUBQ(cut, hash, second, hash)
	fn.VPBROADCASTQ(at(linearLayerMultiplier), section)
	fn.VPBROADCASTQ(at(linearLayerMultiplier+linearSectionBytes), second, section)
	fn.VPMULUDQ(section, hash, place)
	fn.VPSRLQ(U8(32), section, section)
	fn.VPSLLQ(U8(32), section, section) // the first line
	fn.VPADDQ(section, place, place)
	return place, second
}

// load loads the headers of places' lines.
func (o *octet512) load(place reg.VecVirtual, headers reg.GPVirtual) (header reg.VecVirtual) {
	fn := o.fn
	header = fn.ZMM()
	fn.VMOVDQU64(place, o.scratch)
	halves := [2]reg.VecVirtual{fn.XMM(), fn.XMM()}
	for key := range shared.Octet {
		line, half := fn.GP64(), halves[key/4]
		if key%4 == 0 {
			fn.VPXOR(half, half, half)
		}
		fn.MOVL(o.scratch.Offset(8*key+4), line.As32())
		fn.VPINSRB(U8(uint8(key)), Mem{Base: headers, Index: line, Scale: 1}, half, half)
	}
	fn.VPOR(halves[0], halves[1], halves[0])
	fn.VPMOVZXBQ(halves[0], header)
	fn.VPSHUFB(fn.Words("headerEnds", slices.Repeat([]uint64{0x00808080_80808000, 0x08808080_80808008}, 4)...), header, header)
	return header
}

// bumped leaves those of some keys that their lines do not hold.
func (o *octet512) bumped(place, header reg.VecVirtual, some reg.OpmaskVirtual) {
	fn := o.fn
	order := fn.ZMM()
	fn.VPSLLQ(U8(32), place, order)
	fn.VPORQ_BCST(fn.Words("belowOrder", 1<<58-1), order, order) // not below a header with this threshold, whatever its seed
	fn.VPMINUQ_BCST(fn.Words("highestOrder", 63<<58-1), order, order)
	fn.VPCMPUQ(U8(less), header, order, some, some)
}

// answers looks at the lines, and returns a bit for each key.
func (o *octet512) answers(f found) reg.GPVirtual {
	fn := o.fn
	o.emitted++
	end := fmt.Sprint("noTail", o.emitted)
	o.body = fn.GP64()
	fn.MOVQ(o.field("body"), o.body)
	for i := range o.shapes {
		o.shapes[i] = fn.GP64()
		fn.MOVQ(o.field("linearShapes").Offset(8*i), o.shapes[i])
	}
	high, offset := fn.ZMM(), fn.ZMM()
	fn.VPSRLQ(U8(26), f.place, offset)
	fn.VPANDQ_BCST(fn.Words("offsetBits", ^uint64(shared.LineBytes-1)), offset, offset)
	fn.VMOVDQU64(offset, o.scratch)
	fn.VPSRLQ(U8(32), f.hash, high)
	sum := o.planes(f, high)

	word, other, length := fn.ZMM(), fn.ZMM(), o.shape("bits", f.second)
	fn.VPMULUDQ_BCST(fn.Words("linearHigh", linearHigh), high, word)
	fn.VPMULUDQ_BCST(fn.Words("linearLow", linearLow), f.hash, other)
	fn.VPSLLQ(U8(32), other, other)
	fn.VPXORQ(other, word, word)
	row, shift := fn.ZMM(), fn.ZMM()
	fn.CMPQ(o.field("linearTail"), U8(0))
	fn.JE(LabelRef(end))
	fn.VPERMQ(fn.Words("tailRows", 0, 8, 16, 24, 0, 8, 16, 24), f.header, shift)
	fn.VPSRLVQ(shift, word, row)
	fn.VPANDQ(o.shape("tailMask", f.second), row, row)
	o.tail(row, length, word, end)
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
	equal, found := fn.K(), fn.GP64()
	fn.VPSLLVQ(o.shape("top", f.second), sum, sum)
	fn.VPXORQ(word, sum, sum)
	fn.VPTESTNMQ(o.shape("topBits", f.second), sum, equal)
	fn.KORB(f.fallen, equal, equal)
	fn.KMOVB(equal, found.As32())
	return found
}

// shape returns for each key what its section's shape has.
func (o *octet512) shape(field string, second reg.OpmaskVirtual) reg.VecVirtual {
	z := o.fn.ZMM()
	o.fn.VPBROADCASTQ(o.fn.Field(o.shapes[0], "linearShape", field), z)
	o.fn.VPBROADCASTQ(o.fn.Field(o.shapes[1], "linearShape", field), second, z)
	return z
}

// planes returns the parities of the bytes' bits that are in the keys' rows. Lines are the matrices of
// VGF2P8AFFINEQB: eight of a line's bytes, times one of a row, are eight parities. Eight bytes of a line may be of two
// planes, so a row has two bytes for them, and a vector has those of four keys.
func (o *octet512) planes(f found, high reg.VecVirtual) (sum reg.VecVirtual) {
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
	var lines [2]reg.VecVirtual
	for half := range lines {
		rows := fn.ZMM()
		fn.VMOVDQU64(fn.Words(fmt.Sprint("rowsOf", half), rowBytes(half)...), rows)
		fn.VPERMI2B(seconds, firsts, rows)
		var pairs [2]reg.VecVirtual
		for key := range keys {
			offset := fn.GP64()
			fn.MOVQ(o.scratch.Offset(8*(half*keys+key)), offset)
			line := Mem{Base: o.body, Index: offset, Scale: 1}
			if key%2 == 0 {
				pairs[key/2] = fn.ZMM()
				fn.VGF2P8AFFINEQB(U8(0), line, rows, pairs[key/2])
			} else {
				fn.VGF2P8AFFINEQB(U8(0), line, rows, odd, pairs[key/2])
			}
		}
		fn.VPBLENDMD(pairs[1], pairs[0], upper, pairs[0])
		lines[half] = pairs[0]
	}
	var planes [2]reg.VecVirtual
	for i := range planes {
		planes[i] = fn.ZMM()
		fn.VMOVDQU64(fn.Words(fmt.Sprint("planesOf", i), planeBytes(i)...), planes[i])
		fn.VPERMI2B(lines[1], lines[0], planes[i])
		fn.VPANDQ(o.shape([]string{"firstColumns", "secondColumns"}[i], f.second), planes[i], planes[i])
	}
	sum = fn.ZMM()
	fn.VPORQ(planes[0], planes[1], sum)
	fn.VGF2P8AFFINEQB_BCST(U8(0), fn.Words("bitsOfBytes", 0x8040201008040201), sum, sum) // from the upper bit down
	return sum
}

// rowBytes returns where the rows' bytes of four keys are, among those of the planes that are first in words of lines,
// and then of the second ones.
func rowBytes(half int) (words []uint64) {
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

// planeBytes returns where the parities of eight keys with first planes are, or with second ones.
func planeBytes(plane int) (words []uint64) {
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
func (o *octet512) tail(row, length, sum reg.VecVirtual, end string) {
	fn := o.fn
	tails := [linearTailWords]reg.VecVirtual{fn.ZMM(), fn.ZMM(), fn.ZMM()}
	last := o.ends(shared.LineBytes - 16)
	fn.VPUNPCKHQDQ(last[1], last[0], tails[0])
	fn.VPUNPCKLQDQ(last[1], last[0], tails[1])
	fn.CMPQ(o.field("linearTailWords"), U8(2))
	fn.JLE(LabelRef("twoWords" + end))
	before := o.ends(shared.LineBytes - 32)
	fn.VPUNPCKHQDQ(before[1], before[0], tails[2])
	o.slotsOf(3, tails, row, length, sum, end)
	fn.JMP(LabelRef(end))
	fn.Label("twoWords" + end)
	o.slotsOf(2, tails, row, length, sum, end)
}

// ends loads 16 bytes of each line: of the even keys, and of the odd ones.
func (o *octet512) ends(at int) (ends [2]reg.VecVirtual) {
	fn := o.fn
	for odd := range ends {
		line := func(key int) Mem {
			offset := fn.GP64()
			fn.MOVQ(o.scratch.Offset(8*(2*key+odd)), offset)
			return Mem{Base: o.body, Index: offset, Scale: 1, Disp: at}
		}
		var halves [2]reg.VecVirtual
		for i := range halves {
			halves[i] = fn.ZMM()
			fn.VMOVDQU(line(2*i), halves[i].AsX())
			fn.VINSERTI128(U8(1), line(2*i+1), halves[i].AsY(), halves[i].AsY())
		}
		ends[odd] = halves[0]
		fn.VINSERTI64X4(U8(1), halves[1].AsY(), halves[0], halves[0])
	}
	return ends
}

// slotsOf adds slots from the tail in the given number of words.
func (o *octet512) slotsOf(words int, tails [linearTailWords]reg.VecVirtual, row, length, sum reg.VecVirtual, end string) {
	fn := o.fn
	for slot := range 8 {
		if slot > 0 {
			fn.CMPQ(o.field("linearTail"), U8(uint8(slot)))
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
