package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Few512 emits the kernels for a few keys in linear filters: those for any number would take longer to
// begin than to look these up.
//
// Those of bits and of bools are one, which is told by the capacity of the slice of hits.
func Few512(f *kernel.File) {
	const name = "linearContainsFew"
	for _, kind := range []struct {
		name, hits string
		capacity   uint32
	}{{"Bits", "[]uint64", fewBits}, {"Bools", "[]bool", fewBits + 1}} {
		fn := f.Function(kernel.Base, name+kind.name, "func(k *Kernel, hashes []uint64, hits "+kind.hits+")",
			name+kind.name+" looks up 1 to 64 hashes. There is room for their answers.")
		fn.MOVQ(U32(kind.capacity), fn.Address(fn.Param("hits").Cap()))
		fn.TailCall(name)
	}
	newFew(f, name)
}

// fewBits is the capacity of hits that are bits.
const fewBits = 0

// A few looks up to 64 keys up in a linear filter, an octet at a time, in the first two layers. Of more than one octet
// it finds the lines of all, and then it looks at the lines, so that many are on their way at once. Keys that these
// layers do not hold, one in twenty, come last, because the processor mispredicts whether an octet has any.
type few struct {
	o           *octet512
	fn          *kernel.Function
	n, word     reg.GPVirtual // keys, and the answers' bits
	fallen      reg.GPVirtual // bits of the fallen keys
	hashes      reg.Register
	rooms, list Mem // the list is of the fallen keys
}

// A room's vectors of an octet: four of 64 bytes, the last of which is a mask.
const (
	fewHashes = shared.LineBytes * iota
	fewPlaces
	fewHeaders
	fewSeconds
	fewBytes
)

func newFew(f *kernel.File, name string) {
	fn := f.Function(kernel.AVX512, name, "func(k *Kernel, hashes, hits []uint64)", name+" is linearContainsFewBits or linearContainsFewBools.")
	fw := &few{fn: fn, n: fn.GP64(), word: fn.GP64(), fallen: fn.GP64()}
	memory := fn.GP64()
	const list, rooms = (shared.WordKeys + shared.Octet) * shared.HashBytes, shared.WordKeys / shared.Octet * fewBytes
	shared.Room(fn, list+rooms, memory)
	fw.list, fw.rooms = Mem{Base: memory}, Mem{Base: memory, Disp: list}
	fw.hashes = fn.Load(fn.Param("hashes").Base(), fn.GP64())
	fn.Load(fn.Param("hashes").Len(), fw.n)
	fw.o = newOctet512(fn)
	fn.CMPQ(fw.n, U8(shared.Octet))
	fn.JA(LabelRef("octets"))
	fw.octet()
	fn.Label("octets")
	fw.octets()
}

// octet looks up to eight keys up.
func (fw *few) octet() {
	fn := fw.fn
	hash, valid := fw.o.load(Mem{Base: fw.hashes}, fw.n)
	f := fw.o.find("One", hash)
	fw.o.answers(f, fw.word)
	fn.KTESTB(valid, f.fallen)
	fn.JNZ(LabelRef("oneFallen"))
	fw.store()
	list := fn.GP64()
	fn.Label("oneFallen")
	fn.LEAQ(fw.list, list)
	fn.MOVQ(fw.o.list(f, valid, list), fw.fallen)
	fn.JMP(LabelRef("fallen"))
}

// octets looks up more keys.
func (fw *few) octets() {
	fn := fw.fn
	at, room, list := fn.GP64(), fn.GP64(), fn.GP64()
	each := func(label string, do func(of func(what int) Mem)) {
		fn.LEAQ(fw.rooms, room)
		fn.XORL(at.As32(), at.As32())
		fn.Label(label)
		do(func(what int) Mem { return Mem{Base: room, Disp: what} })
		fn.ADDQ(U32(fewBytes), room)
		fn.ADDQ(U8(shared.Octet), at)
		fn.CMPQ(at, fw.n)
		fn.JB(LabelRef(label))
	}
	fn.LEAQ(fw.list, list)
	fn.XORL(fw.fallen.As32(), fw.fallen.As32())
	each("find", func(of func(int) Mem) {
		left := fn.GP64()
		fn.MOVQ(fw.n, left)
		fn.SUBQ(at, left)
		hash, valid := fw.o.load(Mem{Base: fw.hashes, Index: at, Scale: shared.HashBytes}, left)
		f := fw.o.find("Many", hash)
		fw.o.keep(f, of)
		bits := fw.o.list(f, valid, list)
		fn.SHLXQ(at, bits, bits)
		fn.ORQ(bits, fw.fallen)
	})
	fn.XORL(fw.word.As32(), fw.word.As32())
	each("look", func(of func(int) Mem) {
		found := fn.GP64()
		fw.o.answers(fw.o.kept(of), found)
		fn.SHLXQ(at, found, found)
		fn.ORQ(found, fw.word)
	})
	fn.TESTQ(fw.fallen, fw.fallen)
	fn.JZ(LabelRef("answered"))
	fw.lookUpFallen()
	fn.JMP(LabelRef("answered"))
}

// lookUpFallen looks up the listed keys, at least one, in the other layers, one by one: vectors of so few take longer.
func (fw *few) lookUpFallen() {
	fn, field := fw.fn, fw.o.field
	list, layer, left, headers := fn.GP64(), fn.GP64(), fn.GP64(), fn.GP64()
	k, bit := newKey(fn, kernel.AVX512), fn.GP64()
	lowest := func() {
		fn.MOVQ(fw.fallen, bit)
		fn.NEGQ(bit)
		fn.ANDQ(fw.fallen, bit)
	}
	fn.Label("fallen")
	fn.ORQ(fw.fallen, fw.word) // contained, unless a layer says no
	fn.LEAQ(fw.list, list)
	fn.Label("next")
	fn.MOVQ(Mem{Base: list}, k.hash)
	fn.LEAQ(field("layers.layers").Offset(linearLayerBytes), layer)
	fn.MOVQ(field("layers.number"), left)
	fn.DECQ(left)
	fn.Label("again")
	fn.DECQ(left)
	fn.JLE(LabelRef("lookedUp"))
	fn.ADDQ(U8(linearLayerBytes), layer)
	k.next()
	fn.MOVQ(field("headers"), headers)
	k.place(layer, field("shapes"), headers)
	fn.JCC(LabelRef("again"))
	fn.SHLQ(U8(lineShift), k.line)
	fn.ADDQ(field("lines"), k.line)
	k.compareLine(field("sums"))
	miss := fn.GP64()
	fn.SETNE(miss.As8())
	fn.MOVBLZX(miss.As8(), miss.As32())
	fn.NEGQ(miss)
	lowest()
	fn.ANDQ(bit, miss)
	fn.XORQ(miss, fw.word)
	fn.Label("lookedUp")
	fn.ADDQ(U8(shared.HashBytes), list)
	lowest()
	fn.XORQ(bit, fw.fallen)
	fn.JNZ(LabelRef("next"))
}

// store stores the answers, and returns.
func (fw *few) store() {
	fn := fw.fn
	fn.Label("answered")
	hits := fn.Load(fn.Param("hits").Base(), fn.GP64())
	fn.CMPQ(fn.Address(fn.Param("hits").Cap()), U8(fewBits))
	fn.JNE(LabelRef("bools"))
	fn.BZHIQ(fw.n, fw.word, fw.word)
	fn.MOVQ(fw.word, Mem{Base: hits})
	fn.JMP(LabelRef("stored"))
	fn.Label("bools")
	lowest, bools := fn.GP64(), fn.GP64()
	fn.MOVQ(fn.Words("lowest", 0x0101010101010101), lowest)
	fn.SUBQ(U8(shared.Octet), fw.n)
	fn.JB(LabelRef("rest"))
	fn.Label("whole")
	fn.PDEPQ(lowest, fw.word, bools)
	fn.MOVQ(bools, Mem{Base: hits})
	fn.ADDQ(U8(shared.Octet), hits)
	fn.SHRQ(U8(shared.Octet), fw.word)
	fn.SUBQ(U8(shared.Octet), fw.n)
	fn.JAE(LabelRef("whole"))
	fn.Label("rest")
	fn.ADDQ(U8(shared.Octet), fw.n)
	fn.JZ(LabelRef("stored"))
	bytes := fn.XMM()
	fn.PDEPQ(lowest, fw.word, bools)
	fn.VMOVQ(bools, bytes)
	fn.VMOVDQU8(bytes, valid512(fn, fw.n), Mem{Base: hits})
	fn.Label("stored")
	fn.VZEROUPPER()
	fn.RET()
}
