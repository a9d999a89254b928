package paired

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/blocks"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

type vectors512 struct{ fn *kernel.Function }

func (v *vectors512) zero(to Mem) {
	z := v.fn.ZMM()
	v.fn.VPXORQ(z, z, z)
	v.fn.VMOVDQU64(z, to)
}

func (v *vectors512) copy(from, to Mem) {
	z := v.fn.ZMM()
	v.fn.VMOVDQU64(from, z)
	v.fn.VMOVDQU64(z, to)
}

func (v *vectors512) word(from Mem) reg.GPVirtual {
	z, word := v.fn.ZMM(), v.fn.GP64()
	v.fn.VMOVDQU64(from, z)
	v.fn.VPTESTMB(z, z, reg.K0)
	v.fn.KMOVQ(reg.K0, word)
	return word
}

// paired512 evaluates an octet of keys in parts, each of which fills a vector.
type paired512 struct {
	fn *kernel.Function
	*blocks.Octet512
	vectors512
	*sets512
	b *batch

	blocks  reg.VecVirtual // their number, in every quadword
	numbers reg.VecVirtual // the bits of a block's number in its batch, in the upper doublewords
	upper   reg.VecVirtual // all bits of those
	toUpper reg.VecVirtual // for VPSHUFB, of eight bytes
	shifted reg.VecVirtual // the hashes' high halves as quick takes them, by the own block's set

	byteIndex reg.VecVirtual // the bits of each byte that index a block's bytes
	ones      reg.VecVirtual
}

func newPaired512(b *batch, l blocks.Layout) *paired512 {
	p := blocks.NewProbes512(b.Fn, l, b.Multipliers)
	e := &paired512{
		fn:       b.Fn,
		Octet512: blocks.NewOctet512(p), vectors512: vectors512{b.Fn},
		sets512: newSets512(b.Fn, b.shape("indexed"), b.shape("spread")), b: b,
		blocks: b.Fn.ZMM(), numbers: b.Fn.ZMM(), upper: b.Fn.ZMM(), toUpper: b.Fn.ZMM(), shifted: b.Fn.ZMM(),
		byteIndex: b.Fn.ZMM(), ones: b.Fn.ZMM(),
	}
	var toUpper [shared.Octet]uint64
	for key := range toUpper {
		const none = 0x80
		toUpper[key] = none*0x0101010101010101 - none<<32 + uint64(key)<<32
	}
	b.Fn.VPBROADCASTQ(b.Size, e.blocks)
	b.Fn.VPSRLQ(U8(6), e.blocks, e.blocks)
	b.Fn.VPBROADCASTD(b.shape("numbers"), e.numbers)
	b.Fn.VPSLLQ(U8(32), e.numbers, e.numbers)
	b.Fn.VPBROADCASTQ(b.Fn.Words("upper", 0xffffffff<<32), e.upper)
	b.Fn.VMOVDQU64(b.Fn.Words("toUpper", toUpper[:]...), e.toUpper)
	b.Fn.VPBROADCASTQ(b.Fn.Words("byteIndex", 0x3f3f3f3f3f3f3f3f), e.byteIndex)
	b.Fn.VPTERNLOGD(U8(0xff), e.ones, e.ones, e.ones)
	return e
}

// offsetsOf returns the offsets of an octet's own blocks in quadwords.
func (e *paired512) offsetsOf(hashes Mem) reg.VecVirtual {
	z := e.fn.ZMM()
	e.fn.VPMULUDQ(hashes, e.blocks, z)
	e.fn.VPSRLQ(U8(32-6), z, z)
	e.fn.VPANDQ_BCST(e.fn.Words("lines", 0xffffffc0), z, z)
	return z
}

func (e *paired512) storeLow(quadwords reg.VecVirtual, to Mem) {
	y := e.fn.YMM()
	e.fn.VPMOVQD(quadwords, y)
	e.fn.VMOVDQU32(y, to)
}

func (e *paired512) locate(hashes, to Mem) { e.storeLow(e.offsetsOf(hashes), to) }

func (e *paired512) prepare(hashes, _, pairs Mem) {
	own, other := e.fn.ZMM(), e.fn.ZMM()
	e.fn.VPMULUDQ(hashes, e.blocks, own)
	e.fn.VPANDQ(e.numbers, own, own)
	e.fn.VPBROADCASTQ(pairs, other)
	e.fn.VPSHUFB(e.toUpper, other, other)
	const notLess = 5
	e.fn.VPCMPUQ(U8(notLess), other, own, e.some)
	e.fn.VPANDQ(hashes, e.upper, e.shifted)
	e.fn.VPSLLQ(U8(9), e.shifted, e.some, e.shifted)
}

func (e *paired512) round() int { return shared.Octet }

func (e *paired512) quick(block func(key int) Mem, _, to Mem) {
	for part, spread := range e.KeysOf {
		high := e.fn.ZMM()
		e.fn.VPERMD(e.shifted, spread, high)
		bytes, bits := e.Positions(high)
		first := part * e.Keys()
		found := e.BlockBytes(bytes, func(key int) Mem { return block(first + key) })
		e.fn.VPTESTNMB(e.byteIndex, bytes, e.some)
		e.fn.VMOVDQU8(e.ones, e.some, found) // whatever is in the first byte is found
		e.Test(found, bits)
		e.fn.KMOVQ(reg.K0, to.Offset(8*part))
	}
}

// prefetchesNear is false: prefetching took 1.47 ns instead of 1.38 at 1 MiB (Zen 4).
func (e *paired512) prefetchesNear() bool { return false }

func (e *paired512) survivors(masks Mem) reg.GPVirtual {
	word := e.fn.GP64()
	e.All(masks, e.ones)
	e.fn.KMOVQ(reg.K0, word)
	return word
}

func (e *paired512) queue(word, first, hashes reg.GPVirtual, pairs Mem) {
	var numbers [shared.Octet]uint64
	for i := range shared.WordKeys {
		numbers[i/8] |= uint64(i) << (i % 8 * 8)
	}
	tail, bytes, base := e.fn.GP64(), e.fn.ZMM(), e.fn.ZMM()
	e.fn.MOVQ(e.b.tail, tail)
	e.fn.KMOVQ(word, e.some)
	compressed := func(from Mem) {
		e.fn.VMOVDQU64(from, bytes)
		e.fn.VPCOMPRESSB_Z(bytes, e.some, bytes) // to memory it is slow
	}
	compressed(pairs)
	e.fn.VMOVDQU64(bytes, e.b.queuePairs.Idx(tail, 1))
	compressed(e.fn.Words("numbers", numbers[:]...))
	e.fn.VPBROADCASTW(first.As32(), base)
	for half := range 2 {
		y, z := e.fn.YMM(), e.fn.ZMM()
		e.fn.VEXTRACTI64X4(U8(uint8(half)), bytes, y)
		e.fn.VPMOVZXBW(y, z)
		e.fn.VPADDW(base, z, z)
		e.fn.VMOVDQU64(z, e.b.queueNumbers.Idx(tail, 2).Offset(64*half))
	}
	count := e.fn.GP64()
	for i := range shared.WordKeys / shared.Octet {
		if i > 0 {
			e.fn.SHRQ(U8(8), word)
			e.b.next(hashes)
		}
		e.fn.KMOVB(word.As32(), e.some)
		e.fn.MOVBLZX(word.As8(), count.As32())
		e.fn.POPCNTQ(count, count)
		z := e.fn.ZMM()
		e.fn.VMOVDQU64(Mem{Base: hashes}, z)
		e.fn.VPCOMPRESSQ_Z(z, e.some, z)
		e.fn.VMOVDQU64(z, e.b.queueHashes.Idx(tail, shared.HashBytes))
		e.fn.ADDQ(count, tail)
	}
	e.fn.MOVQ(tail, e.b.tail)
}

func (e *paired512) locateBoth(hashes, pairs, lower, higher Mem) {
	own, other, numbers := e.offsetsOf(hashes), e.fn.ZMM(), e.fn.ZMM()
	e.fn.VPMOVZXBQ(pairs, other)
	e.fn.VPSLLQ(U8(6), other, other)
	e.fn.VPSRLQ(U8(32-6), e.numbers, numbers)
	e.fn.VPTERNLOGD(U8(0xe4), numbers, own, other) // other where numbers has ones, own elsewhere
	e.fn.VPMINUD(own, other, numbers)
	e.fn.VPMAXUD(own, other, other)
	e.storeLow(numbers, lower)
	e.storeLow(other, higher)
}

func (e *paired512) exact(hashes Mem, lower, higher func(key int) Mem, answer func(first int, found reg.GPVirtual, stride int)) {
	for part, spread := range e.KeysOf {
		high := e.fn.ZMM()
		e.fn.VPERMD(hashes, spread, high)
		var sets [2][]reg.VecVirtual
		for i := range e.Powers {
			lower, higher := e.sets(e.Product(i, high))
			sets[0], sets[1] = append(sets[0], lower), append(sets[1], higher)
		}
		first := part * e.Keys()
		var found [2]reg.GPVirtual
		for set, block := range []func(key int) Mem{lower, higher} {
			bytes, bits := e.Places(sets[set])
			e.Test(e.BlockBytes(bytes, func(key int) Mem { return block(first + key) }), bits)
			found[set] = e.fn.GP64()
			e.fn.KMOVQ(reg.K0, found[set])
		}
		e.fn.ANDQ(found[0], found[1])
		all := e.AllOf(found[1])
		e.fn.SHRQ(U8(uint8(e.Scratch()-1)), all)
		e.fn.ANDQ(e.fn.Words("lowest", e.Repeated(0)), all)
		answer(first, all, e.Quadwords)
	}
}
