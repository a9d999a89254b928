package linear

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// An octet512 looks eight keys up at once, in registers.
type octet512 struct {
	fn      *kernel.Function
	field   func(name string) Mem
	emitted int // how many answers are: labels have the number

	body   reg.GPVirtual
	shapes [2]reg.GPVirtual // of first and second sections
}

// found is eight keys whose lines are found.
type found struct {
	hash   reg.VecVirtual    // as their sections have them
	place  reg.VecVirtual    // the line's number in the upper half, the order at the upper end of the lower one
	header reg.VecVirtual    // of the line
	second reg.OpmaskVirtual // those in second sections
	fallen reg.OpmaskVirtual // those that no line holds, or nil if they do not matter
}

func newOctet512(fn *kernel.Function) *octet512 {
	return &octet512{fn: fn, field: shared.OwnOf(fn, fn.Load(fn.Param("k"), fn.GP64()), "linearFilter")}
}

// load loads n hashes, or eight if there are more.
func (o *octet512) load(hashes Mem, n reg.GPVirtual) (hash reg.VecVirtual, valid reg.OpmaskVirtual) {
	some := valid512(o.fn, n)
	hash = o.fn.ZMM()
	o.fn.VMOVDQU64_Z(hashes, some, hash)
	return hash, some
}

// valid512 returns which lanes have keys, if there is the given number from the first one on.
func valid512(fn *kernel.Function, n reg.GPVirtual) reg.OpmaskVirtual {
	all, valid := fn.GP64(), fn.K()
	fn.MOVL(U32(1<<shared.Octet-1), all.As32())
	fn.BZHIQ(n, all, all)
	fn.KMOVB(all.As32(), valid)
	return valid
}

// list appends the hashes of valid keys that the first two layers do not hold, and returns their bits.
func (o *octet512) list(f found, valid reg.OpmaskVirtual, to reg.GPVirtual) (fallen reg.GPVirtual) {
	fn, some, hash, number := o.fn, o.fn.K(), o.fn.ZMM(), o.fn.GP64()
	fallen = fn.GP64()
	fn.KANDB(valid, f.fallen, some)
	fn.VPCOMPRESSQ_Z(f.hash, some, hash) // to memory it is slow
	fn.VMOVDQU64(hash, Mem{Base: to})
	fn.KMOVB(some, fallen.As32())
	fn.POPCNTL(fallen.As32(), number.As32())
	fn.LEAQ(Mem{Base: to, Index: number, Scale: shared.HashBytes}, to)
	return fallen
}

// keep stores the results in a room.
func (o *octet512) keep(f found, of func(what int) Mem) {
	o.fn.VMOVDQU64(f.hash, of(fewHashes))
	o.fn.VMOVDQU64(f.place, of(fewPlaces))
	o.fn.VMOVDQU64(f.header, of(fewHeaders))
	o.fn.KMOVB(f.second, of(fewSeconds))
}

// kept loads it.
func (o *octet512) kept(of func(what int) Mem) found {
	fn := o.fn
	f := found{fn.ZMM(), fn.ZMM(), fn.ZMM(), fn.K(), nil}
	fn.VMOVDQU64(of(fewHashes), f.hash)
	fn.VMOVDQU64(of(fewPlaces), f.place)
	fn.VMOVDQU64(of(fewHeaders), f.header)
	fn.KMOVB(of(fewSeconds), f.second)
	return f
}

// find finds the lines of hashes in the first two layers. It looks at both for all keys, because nobody can predict
// which of them need the second one.
func (o *octet512) find(label string, hash reg.VecVirtual) found {
	fn := o.fn
	headers, upper, f := fn.GP64(), fn.ZMM(), found{hash: hash, fallen: fn.K()}
	fn.MOVQ(o.field("headers"), headers)
	fn.VPSRLQ(U8(32), hash, upper)
	fn.VPXORQ(upper, hash, hash)
	fn.VPMULLQ_BCST(fn.Words("linearMix", linearMix), hash, hash)
	f.place, f.second = o.place(0, hash)
	f.header = o.headers(f.place, headers)
	fn.KXNORB(f.fallen, f.fallen, f.fallen)
	o.bumped(f.place, f.header, f.fallen)
	fn.CMPQ(o.field("layers.number"), U8(1))
	fn.JE(LabelRef("found" + label))
	next := o.next(hash)
	place, second := o.place(1, next)
	o.replace(&f, next, place, second, headers)
	fn.Label("found" + label)
	return f
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
	fn, header, same := o.fn, o.headers(place, headers), o.fn.K()
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
	of := func(name string, section int) Mem { return start(fn, o.field, layer, name, section) }
	fn.VPANDQ_BCST(fn.Words("lowerHalf", 1<<32-1), hash, low)
	const notLess = 5
	fn.VPCMPUQ_BCST(U8(notLess), of("cuts", 1), low, second)
	fn.VPMULUDQ_BCST(of("multipliers", 0), hash, place)
	fn.VPMULUDQ_BCST(of("multipliers", 1), hash, other)
	fn.VPADDQ_BCST(of("places", 0), place, place)
	fn.VPADDQ_BCST(of("places", 1), other, second, place)
	fn.VPSUBQ_BCST(of("cuts", 1), hash, second, hash)
	return place, second
}

// headers loads those of places' lines.
func (o *octet512) headers(place reg.VecVirtual, headers reg.GPVirtual) (header reg.VecVirtual) {
	fn := o.fn
	header = fn.ZMM()
	line, halves := fn.ZMM(), [2]reg.VecVirtual{fn.XMM(), fn.XMM()}
	for _, half := range halves {
		fn.VPXOR(half, half, half)
	}
	fn.VPSRLQ(U8(32), place, line)
	o.each(line, func(key int, line reg.GPVirtual) {
		half := halves[key/4]
		fn.VPINSRB(U8(uint8(key)), Mem{Base: headers, Index: line, Scale: 1}, half, half)
	})
	fn.VPOR(halves[0], halves[1], halves[0])
	fn.VPMOVZXBQ(halves[0], header)
	fn.VPSHUFB(fn.Words("headerEnds", slices.Repeat([]uint64{0x00808080_80808000, 0x08808080_80808008}, 4)...), header, header)
	return header
}

// each has the words of a vector one by one. To store the vector and to load its words takes three times as long (Zen
// 4).
func (o *octet512) each(z reg.VecVirtual, do func(key int, word reg.GPVirtual)) {
	for pair := range shared.Octet / 2 {
		x, low, high := z.AsX(), o.fn.GP64(), o.fn.GP64()
		if pair > 0 {
			of := o.fn.XMM()
			x = of
			o.fn.VEXTRACTI64X2(U8(uint8(pair)), z, of)
		}
		o.fn.VMOVQ(x, low)
		do(2*pair, low)
		o.fn.VPEXTRQ(U8(1), x, high)
		do(2*pair+1, high)
	}
}

// bumped leaves those of some keys that their lines do not hold.
func (o *octet512) bumped(place, header reg.VecVirtual, some reg.OpmaskVirtual) {
	fn := o.fn
	order := fn.ZMM()
	fn.VPSLLQ(U8(32), place, order)
	fn.VPORQ_BCST(fn.Words("belowOrder", 1<<58-1), order, order) // not below a header with this threshold, whatever its seed
	fn.VPMINUQ_BCST(fn.Words("highestOrder", 63<<58-1), order, order)
	const less = 1
	fn.VPCMPUQ(U8(less), header, order, some, some)
}
