package blocks

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// FastLocal emits the kernels of FastLocal, and the prefetch that other formats share.
func FastLocal(f *kernel.File) {
	fastLocalSingle512(f)
	fastLocalSingle256(f)
	fastLocalBytes512(f)
	fastLocalBytes256(f)
	functions := shared.Functions{
		Go: "fastLocalContainsGo", AVX2: "fastLocalContainsAVX2", Eight256: "fastLocalContainsEightAVX2",
		Eight: "fastLocalContainsEightAVX512", More: "fastLocalContainsAVX512",
		Batch: "fastLocalBatch", FewBits: "fastLocalContainsFewBits", FewBools: "fastLocalContainsFewBools", InGo: "fastLocalBitsInGo",
	}
	functions.Define(f, "fastLocalFunctions")
	functions.Go, functions.InGo = "sharedFastLocalContainsGo", "sharedFastLocalBitsInGo"
	functions.Define(f, "sharedFastLocalFunctions")
	fastLocalBatch512(f)
	fastLocalBatch256(f)
	prefetchLines(f)
	fastLocalAdd512(f)
	fastLocalAdd256(f)
}

func fastLocalBatch512(f *kernel.File) {
	batch512(f, "fastLocalContainsBatchAVX512", Powers, Layouts)
}

func batch512(f *kernel.File, name string, probes Progression, layouts []Layout) {
	b := newBatch(f, kernel.AVX512, name, false)
	for _, l := range layouts {
		next := fmt.Sprint("moreThan", l.Probes())
		b.UpTo(l.Probes(), next)
		p := NewProbes512(b.Fn, l, b.Multipliers)
		p.Progression = probes
		near := 1
		if probes == Powers && l.Quadwords <= 2 { // 4 % less time; other probes gain 1 % (processor not recorded)
			near = 2
		}
		b.loops(fmt.Sprint("upTo", l.Probes()), NewOctet512(p), near)
		b.Fn.Label(next)
	}
	b.done()
}

// usualProbes is the most that a builder chooses up to 36 bits per key. More probes are a loop in AVX2.
const usualProbes = 16

// Octet512 evaluates an octet of keys in parts, each of which fills a vector.
type Octet512 struct {
	*Probes512
	KeysOf []reg.VecVirtual // for each part: see spread
}

// NewOctet512 emits the constants.
func NewOctet512(p *Probes512) *Octet512 { return &Octet512{p, p.spread()} }

// found leaves a bit for each probe of a part's keys in K0.
func (o *Octet512) found(hashes Mem, block func(hash Mem) Mem) {
	key, from := o.fn.ZMM(), Op(hashes)
	switch o.Quadwords {
	case 2:
		from = key
		o.fn.VBROADCASTI64X4(hashes, key)
	case 4:
		from = key
		o.fn.VBROADCASTI64X2(hashes, key)
	}
	if o.Progression == cubic {
		o.fn.VPERMQ(from, o.KeysOf[0], key)
	} else {
		o.fn.VPERMD(from, o.KeysOf[0], key)
	}
	bytes, bits := o.Positions(key)
	o.Test(o.BlockBytes(bytes, func(key int) Mem { return block(hashes.Offset(shared.HashBytes * key)) }), bits)
}

// Round is evaluator's, as are the next three.
func (o *Octet512) Round() int { return o.Keys() }

func (o *Octet512) Mask(hashes Mem, block func(hash Mem) Mem, to Mem) {
	o.found(hashes, block)
	o.fn.KMOVQ(reg.K0, to)
}

// All leaves in K0 a bit for each of 64 keys, which is set if its mask is all ones, as
// the vector is.
func (o *Octet512) All(masks Mem, ones reg.VecVirtual) {
	switch o.Quadwords {
	case 1:
		o.fn.VPCMPEQB(masks, ones, reg.K0)
	case 2:
		upper := o.fn.K()
		o.fn.VPCMPEQW(masks, ones, reg.K0)
		o.fn.VPCMPEQW(masks.Offset(64), ones, upper)
		o.fn.KUNPCKDQ(reg.K0, upper, reg.K0)
	case 4:
		lower, upper := o.fn.K(), o.fn.K()
		for half, to := range []reg.OpmaskVirtual{lower, upper} {
			o.fn.VPCMPEQD(masks.Offset(128*half), ones, reg.K0)
			o.fn.VPCMPEQD(masks.Offset(128*half+64), ones, to)
			o.fn.KUNPCKWD(reg.K0, to, to)
		}
		o.fn.KUNPCKDQ(lower, upper, reg.K0)
	}
}

func (o *Octet512) Compare(masks Mem) (bits, bools func(to Mem)) {
	return compare512(o.fn, func(ones reg.VecVirtual) { o.All(masks, ones) })
}

// compare512 compares by answer, which leaves the answers in K0. Its argument is a vector of ones.
func compare512(fn *kernel.Function, answer func(ones reg.VecVirtual)) (bits, bools func(to Mem)) {
	ones := fn.ZMM()
	fn.VPTERNLOGD(U8(0xff), ones, ones, ones)
	answer(ones)
	return func(to Mem) { fn.KMOVQ(reg.K0, to) }, func(to Mem) {
		bytes := fn.ZMM()
		fn.VPMOVM2B(reg.K0, bytes)
		fn.VPABSB(bytes, bytes)
		fn.VMOVDQU64(bytes, to)
	}
}

func (o *Octet512) Answer(hashes Mem, block func(hash Mem) Mem) reg.GPVirtual {
	if o.Keys() == shared.Octet {
		o.found(hashes, block)
		return o.reduce()
	}
	all, left, next := o.fn.GP64(), o.fn.GP64(), o.fn.Unused("partsOfOctet")
	o.fn.XORL(all.As32(), all.As32())
	o.fn.MOVQ(U64(shared.Octet), left)
	o.fn.Label(next)
	rounds := 1
	if o.Quadwords == 2 && o.Progression == Powers { // 6 % less time for eight keys (processor not recorded)
		rounds = 2
	}
	for part := range rounds {
		o.found(Mem{Base: hashes.Base, Index: left, Scale: shared.HashBytes, Disp: hashes.Disp - shared.HashBytes*o.Keys()*(part+1)}, block)
		o.fn.SHLQ(U8(uint8(o.Keys())), all)
		o.fn.ORQ(o.reduce(), all)
	}
	if rounds*o.Keys() < shared.Octet {
		o.fn.SUBQ(U8(uint8(o.Keys())), left)
		o.fn.JNZ(LabelRef(next))
	}
	return all
}

func fastLocalBatch256(f *kernel.File) {
	batch256(f, "fastLocalContainsBatchAVX2", Powers, true)
}

// batch256 emits a batch kernel, with loops for far blocks that lie across two lines or without.
func batch256(f *kernel.File, name string, probes Progression, across bool) {
	b := newBatch(f, kernel.AVX2, name, across)
	keys := func(p *Probes256, octetRound int) *octet256 {
		p.Progression = probes
		return &octet256{b.Fn, p.key, octetRound}
	}
	for rounds := 1; 8*rounds <= usualProbes; rounds++ {
		next, octetRound := fmt.Sprint("moreThan", 8*rounds), shared.Quad
		if rounds == 1 && probes == Powers {
			octetRound = shared.Octet // 7 % less time for eight keys; others gain 1 to 4 % (processor not recorded)
		}
		b.UpTo(8*rounds, next)
		b.loops(fmt.Sprint("upTo", 8*rounds), keys(NewProbes256(b.Fn, rounds, b.Multipliers), octetRound), 1)
		b.Fn.Label(next)
	}
	b.loops("more", keys(newRolledProbes256(b.Fn, b.Probes, b.Multipliers), 1), 1)
	b.done()
}

// octet256 evaluates keys one by one.
type octet256 struct {
	fn         *kernel.Function
	key        func(hash Mem, block func(hash Mem) Mem) reg.GPVirtual // returns a bit for each of eight probes
	octetRound int                                                    // keys in a round of Answer
}

func (o *octet256) Width() int { return 1 }

// Round is 2: loops over 64 keys gain 0 to 1.5 % by 4, and nothing by 8.
func (o *octet256) Round() int { return 2 }

func (p *Probes256) key(hash Mem, block func(hash Mem) Mem) reg.GPVirtual {
	return p.probe(p.Key256(p.fn, hash), block(hash))
}

func (o *octet256) Mask(hashes Mem, block func(hash Mem) Mem, to Mem) {
	for key := range o.Round() {
		found := o.key(hashes.Offset(shared.HashBytes*key), block)
		o.fn.MOVB(found.As8(), to.Offset(key))
	}
}

func (o *octet256) Compare(masks Mem) (bits, bools func(to Mem)) {
	ones, equal := o.fn.YMM(), [2]reg.VecVirtual{o.fn.YMM(), o.fn.YMM()}
	o.fn.VPCMPEQD(ones, ones, ones)
	for half, y := range equal {
		o.fn.VPCMPEQB(masks.Offset(32*half), ones, y)
	}
	return func(to Mem) {
			for half, y := range equal {
				word := o.fn.GP32()
				o.fn.VPMOVMSKB(y, word)
				o.fn.MOVL(word, to.Offset(4*half))
			}
		}, func(to Mem) {
			for half, y := range equal {
				o.fn.VPABSB(y, y)
				o.fn.VMOVDQU(y, to.Offset(32*half))
			}
		}
}

func (o *octet256) Answer(hashes Mem, block func(hash Mem) Mem) reg.GPVirtual {
	all := o.fn.GP32()
	o.fn.XORL(all, all)
	add := func(hash Mem) {
		found := o.key(hash, block)
		o.fn.INCL(found) // all eight carry into bit 8
		o.fn.SHRL(U8(8), found)
		o.fn.LEAL(Mem{Base: found, Index: all, Scale: 2}, all)
	}
	left, next := o.fn.GP64(), o.fn.Unused("keysOfOctet")
	o.fn.MOVQ(U64(shared.Octet), left)
	o.fn.Label(next)
	for key := range o.octetRound {
		add(Mem{Base: hashes.Base, Index: left, Scale: shared.HashBytes, Disp: hashes.Disp - shared.HashBytes*(key+1)})
	}
	if o.octetRound < shared.Octet {
		o.fn.SUBQ(U8(uint8(o.octetRound)), left)
		o.fn.JNZ(LabelRef(next))
	}
	return all
}
