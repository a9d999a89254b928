package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Few512 emits the kernels for a few keys in linear filters: those for any number would take longer to
// begin than to look these up.
func Few512(f *kernel.File) {
	newFew(f, "linearContainsFewBits", "[]uint64", true)
	newFew(f, "linearContainsFewBools", "[]bool", false)
}

// A few looks up to 64 keys up in a linear filter, an octet at a time. Of more than one octet it finds the lines
// of all, and then it looks at the lines, so that many are on their way at once.
type few struct {
	o            *octet512
	fn           *kernel.Function
	bits         bool          // not bools
	n, last      reg.GPVirtual // keys, and the number of the last octet's first one
	hashes, hits reg.Register
	word         reg.GPVirtual // the answers, if they are bits
	rooms        Mem
}

// What a room has of an octet: four vectors of 64 bytes, and two masks.
const (
	fewHashes = shared.LineBytes * iota
	fewPlaces
	fewHeaders
	fewMasks
	fewBytes
)

func newFew(f *kernel.File, name, hits string, bits bool) {
	fn := f.Function(kernel.AVX512, name, "func(k *Kernel, hashes []uint64, hits "+hits+")",
		name+" looks up 1 to 64 hashes. There is room for their answers.")
	fw := &few{fn: fn, bits: bits, n: fn.GP64(), last: fn.GP64(), word: fn.GP64()}
	memory := fn.GP64()
	fn.LEAQ(fn.AllocLocal(shared.Octet*fewBytes+shared.LineBytes+shared.LineBytes-8).Offset(shared.LineBytes-8), memory) // vectors are in one line of the cache
	fn.ANDQ(I8(-shared.LineBytes), memory)
	fw.rooms = Mem{Base: memory, Disp: shared.LineBytes}
	fw.o = newOctet512(fn, Mem{Base: memory})
	fw.hashes, fw.hits = fn.Load(fn.Param("hashes").Base(), fn.GP64()), fn.Load(fn.Param("hits").Base(), fn.GP64())
	fn.Load(fn.Param("hashes").Len(), fw.n)
	fn.LEAQ(Mem{Base: fw.n, Disp: -shared.Octet}, fw.last)
	fn.CMPQ(fw.n, U8(shared.Octet))
	fn.JA(LabelRef("octets"))
	fw.octet()
	fn.Label("octets")
	fw.octets()
	for _, emit := range fw.o.later {
		emit()
	}
}

// octet looks up to eight keys up.
func (fw *few) octet() {
	fn := fw.fn
	hash := fn.ZMM()
	fn.JB(LabelRef("fewer"))
	fn.VMOVDQU64(Mem{Base: fw.hashes}, hash)
	fn.Label("octet")
	found := fw.o.answers(fw.o.find("", hash))
	if !fw.bits {
		fw.spread(found)
	}
	fn.CMPQ(fw.n, U8(shared.Octet))
	fn.JB(LabelRef("fewerAnswers"))
	fn.MOVQ(found, Mem{Base: fw.hits})
	fn.VZEROUPPER()
	fn.RET()

	fn.Label("fewer")
	all, some := fn.GP64(), fn.K()
	fn.MOVL(U32(1<<shared.Octet-1), all.As32())
	fn.BZHIQ(fw.n, all, all)
	fn.KMOVB(all.As32(), some)
	fn.VMOVDQU64_Z(Mem{Base: fw.hashes}, some, hash)
	fn.JMP(LabelRef("octet"))
	fn.Label("fewerAnswers")
	if fw.bits {
		fn.BZHIQ(fw.n, found, found)
		fn.MOVQ(found, Mem{Base: fw.hits})
	} else {
		fn.MOVL(U32(1<<shared.Octet-1), all.As32())
		fn.BZHIQ(fw.n, all, all)
		fn.KMOVQ(all, some)
		bytes := fn.XMM()
		fn.VMOVQ(found, bytes)
		fn.VMOVDQU8(bytes, some, Mem{Base: fw.hits})
	}
	fn.VZEROUPPER()
	fn.RET()
}

// spread makes bits bools.
func (fw *few) spread(bits reg.GPVirtual) {
	lowest := fw.fn.GP64()
	fw.fn.MOVQ(fw.fn.Words("lowest", 0x0101010101010101), lowest)
	fw.fn.PDEPQ(lowest, bits, bits)
}

// octets looks up more keys. The last octet takes in keys before it if there are not enough.
func (fw *few) octets() {
	fn := fw.fn
	if fw.bits {
		fn.XORL(fw.word.As32(), fw.word.As32())
	}
	at, room := fn.GP64(), fn.GP64()
	each := func(label string, do func(of func(what int) Mem)) {
		fn.LEAQ(fw.rooms, room)
		fn.XORL(at.As32(), at.As32())
		fn.Label(label)
		do(func(what int) Mem { return Mem{Base: room, Disp: what} })
		fn.ADDQ(U32(fewBytes), room)
		fn.ADDQ(U8(shared.Octet), at)
		fn.CMPQ(at, fw.last)
		fn.JBE(LabelRef(label))
		fn.CMPQ(at, fw.n)
		fn.MOVQ(fw.last, at)
		fn.JB(LabelRef(label))
	}
	each("find", func(of func(int) Mem) {
		hash := fn.ZMM()
		fn.VMOVDQU64(Mem{Base: fw.hashes, Index: at, Scale: shared.HashBytes}, hash)
		f := fw.o.find("s", hash)
		fn.VMOVDQU64(f.hash, of(fewHashes))
		fn.VMOVDQU64(f.place, of(fewPlaces))
		fn.VMOVDQU64(f.header, of(fewHeaders))
		fn.KMOVB(f.second, of(fewMasks))
		fn.KMOVB(f.fallen, of(fewMasks+1))
	})
	each("look", func(of func(int) Mem) {
		f := found{fn.ZMM(), fn.ZMM(), fn.ZMM(), fn.K(), fn.K()}
		fn.VMOVDQU64(of(fewHashes), f.hash)
		fn.VMOVDQU64(of(fewPlaces), f.place)
		fn.VMOVDQU64(of(fewHeaders), f.header)
		fn.KMOVB(of(fewMasks), f.second)
		fn.KMOVB(of(fewMasks+1), f.fallen)
		found := fw.o.answers(f)
		if fw.bits {
			fn.SHLXQ(at, found, found)
			fn.ORQ(found, fw.word)
		} else {
			fw.spread(found)
			fn.MOVQ(found, Mem{Base: fw.hits, Index: at, Scale: 1})
		}
	})
	if fw.bits {
		fn.MOVQ(fw.word, Mem{Base: fw.hits})
	}
	fn.VZEROUPPER()
	fn.RET()
}
