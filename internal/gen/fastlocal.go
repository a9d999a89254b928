package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// fastLocalFields are those of asm.FastLocal.
const fastLocalFields = "near []byte; eight [8]uint32; body []byte; form, fewSizes int; multipliers *[32]uint32; probes int"

func fastLocal(f *kernel.File) {
	fastLocalSingle512(f)
	fastLocalSingle256(f)
	fastLocalFew512(f)
	for _, bools := range []bool{false, true} {
		fastLocalBatch512(f, bools)
		fastLocalBatch256(f, bools)
	}
	prefetchLines(f)
	fastLocalAdd512(f)
	fastLocalAdd256(f)
}

// batchName returns the name of the kernel of a level.
func batchName(level string, bools bool) string {
	if bools {
		return "fastLocalContainsBools" + level
	}
	return "fastLocalContainsBits" + level
}

func fastLocalBatch512(f *kernel.File, bools bool) {
	b := newBatch(f, kernel.AVX512, batchName("AVX512", bools), bools)
	for _, l := range layouts {
		next := fmt.Sprint("moreThan", l.probes())
		b.upTo(l.probes(), next)
		p := newProbes512(b.Function, l, b.multipliers)
		b.loops(fmt.Sprint("upTo", l.probes()), &octet512{p, p.spread()})
		b.Label(next)
	}
	b.done()
}

// octet512 evaluates an octet of keys in as many parts as it fills vectors.
type octet512 struct {
	*probes512
	highs []reg.VecVirtual // for each part
}

// found leaves a bit for each probe of a part's keys in K0.
func (o *octet512) found(part int, hashes Mem, block func(key int) Mem) {
	high := o.ZMM()
	o.VPERMD(hashes, o.highs[part], high)
	bytes, bits := o.positions(high)
	first := part * o.keys()
	o.test(o.blockBytes(bytes, func(key int) Mem { return block(first + key) }), bits)
}

func (o *octet512) mask(hashes Mem, block func(key int) Mem, to Mem) {
	for part := range o.highs {
		o.found(part, hashes, block)
		o.KMOVQ(reg.K0, to.Offset(8*part))
	}
}

func (o *octet512) bits(masks, to Mem) {
	ones := o.ZMM()
	o.VPTERNLOGD(U8(0xff), ones, ones, ones)
	for i := range o.quadwords {
		from, to := masks.Offset(64*i), to.Offset(8/o.quadwords*i)
		switch o.quadwords {
		case 1:
			o.VPCMPEQB(from, ones, reg.K0)
			o.KMOVQ(reg.K0, to)
		case 2:
			o.VPCMPEQW(from, ones, reg.K0)
			o.KMOVD(reg.K0, to)
		case 4:
			o.VPCMPEQD(from, ones, reg.K0)
			o.KMOVW(reg.K0, to)
		}
	}
}

func (o *octet512) bools(masks, to Mem) {
	for i := range o.quadwords {
		from, to := masks.Offset(64*i), to.Offset(wordKeys/o.quadwords*i)
		z := o.ZMM()
		switch o.quadwords {
		case 1: // 0xff is 1, less is 0
			less := o.ZMM()
			o.VPBROADCASTQ(o.Words("allButOneOfBytes", 0xfefefefefefefefe), less)
			o.VMOVDQU64(from, z)
			o.VPSUBUSB(less, z, z)
			o.VMOVDQU64(z, to)
		case 2:
			less := o.ZMM()
			o.VPBROADCASTQ(o.Words("allButOneOfWords", 0xfffefffefffefffe), less)
			o.VMOVDQU64(from, z)
			o.VPSUBUSW(less, z, z)
			o.VPMOVWB(z, to)
		case 4:
			x := o.XMM()
			o.VPTERNLOGD(U8(0xff), z, z, z)
			o.VPCMPEQD(from, z, reg.K0)
			o.VPMOVM2D(reg.K0, z)
			o.VPMOVDB(z, x)
			o.VPABSB(x, x)
			o.VMOVDQU(x, to)
		}
	}
}

func (o *octet512) answer(hashes Mem, block func(key int) Mem) reg.GPVirtual {
	var all reg.GPVirtual
	for part := range o.highs {
		o.found(part, hashes, block)
		answers := o.reduce()
		if part == 0 {
			all = answers
			continue
		}
		o.SHLQ(U8(uint8(part*o.keys())), answers)
		o.ORQ(answers, all)
	}
	return all
}

func fastLocalBatch256(f *kernel.File, bools bool) {
	b := newBatch(f, kernel.AVX2, batchName("AVX2", bools), bools)
	for rounds := 1; rounds <= 4; rounds++ {
		next := fmt.Sprint("moreThan", 8*rounds)
		b.upTo(8*rounds, next)
		p := newProbes256(b.Function, rounds, b.multipliers)
		b.loops(fmt.Sprint("upTo", 8*rounds), &octet256{p})
		b.Label(next)
	}
	b.done()
}

// octet256 evaluates an octet of keys one by one.
type octet256 struct{ *probes256 }

func (o *octet256) width() int { return 1 }

// key returns a bit for each of eight probes of a key.
func (o *octet256) key(hashes Mem, key int, block func(key int) Mem) reg.GPVirtual {
	high := o.YMM()
	o.VPBROADCASTD(hashes.Offset(hashBytes*key+4), high)
	return o.probe(high, block(key))
}

func (o *octet256) mask(hashes Mem, block func(key int) Mem, to Mem) {
	for key := range octet {
		found := o.key(hashes, key, block)
		o.MOVB(found.As8(), to.Offset(key))
	}
}

func (o *octet256) bits(masks, to Mem) {
	ones, equal, bits := o.YMM(), o.YMM(), o.GP32()
	o.VPCMPEQD(ones, ones, ones)
	for half := range 2 {
		o.VPCMPEQB(masks.Offset(32*half), ones, equal)
		o.VPMOVMSKB(equal, bits)
		o.MOVL(bits, to.Offset(4*half))
	}
}

func (o *octet256) bools(masks, to Mem) {
	less, bytes := o.YMM(), o.YMM()
	o.VPBROADCASTQ(o.Words("allButOneOfBytes", 0xfefefefefefefefe), less)
	for half := range 2 {
		o.VMOVDQU(masks.Offset(32*half), bytes)
		o.VPSUBUSB(less, bytes, bytes) // 0xff is 1, less is 0
		o.VMOVDQU(bytes, to.Offset(32*half))
	}
}

func (o *octet256) answer(hashes Mem, block func(key int) Mem) reg.GPVirtual {
	all := o.GP32()
	o.XORL(all, all)
	for key := octet - 1; key >= 0; key-- {
		found := o.key(hashes, key, block)
		o.INCL(found) // all eight carry into bit 8
		o.SHRL(U8(8), found)
		o.LEAL(Mem{Base: found, Index: all, Scale: 2}, all)
	}
	return all
}
