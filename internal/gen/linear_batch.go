package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// A linearBatch looks up hashes in a linear filter, one group of keys after the other. It finds the lines
// of all keys of a group by the headers, layer after layer, before it reads a line. Then it looks at the
// lines, and meanwhile prefetches those of the next group. Every step is done for many keys before the
// next one: what a step stores as single words is loaded as vectors when it has reached the cache.
type linearBatch struct {
	fn    *kernel.Function
	steps linearSteps

	filter, hashes, hits, n, far Mem           // the arguments
	now, then                    Mem           // the addresses of rooms: of the group whose lines are looked at, and of the next one
	keysNow, keysThen            Mem           // the numbers of keys in these
	rest                         Mem           // the last hashes, fewer than an octet
	numbers                      Mem           // of the bumped keys in a group
	bumped                       reg.GPVirtual // how many these are
	layersLeft                   Mem
	block                        linearBlock
}

// A room has what is known of the keys of a group: the hash as its section has it, the place, and the
// header of the line. The place has the line's number in its upper half. Bits 26 to 31 say where the key
// is in the line's order. The lowest byte is 0 in first sections and 64 in second ones. There is room for
// an octet behind the keys.
const (
	linearGroup      = 512
	linearFarGroup   = 256 // if lines are prefetched
	linearRoomKeys   = linearGroup + octet
	linearRoomHash   = 0
	linearRoomPlace  = linearRoomHash + 8*linearRoomKeys
	linearRoomHeader = linearRoomPlace + 8*linearRoomKeys
	linearRoom       = linearRoomHeader + linearRoomKeys
)

// roomOf returns what a room has of a key.
func roomOf(room, key reg.GPVirtual) (hash, place, header Mem) {
	return Mem{Base: room, Disp: linearRoomHash, Index: key, Scale: 8},
		Mem{Base: room, Disp: linearRoomPlace, Index: key, Scale: 8},
		Mem{Base: room, Disp: linearRoomHeader, Index: key, Scale: 1}
}

// A linearBlock is what is stored for 64 keys: the products that have their rows, the words that have their
// fingerprints and rows of the tail, the offsets of their lines, the parities of the lines' bytes, and
// the words of the lines that have the tail. It also has the bytes that pick the parities, for both
// sections.
type linearBlock struct {
	rows, words, offsets, parities Mem
	tails                          [linearTailWords]Mem
	picks                          Mem
}

// linearTailWords is how many words of a line have its tail, at most: the last ones.
const linearTailWords = 3

// linearSteps are the steps of a level. Those with a half are for a vector of an octet's keys.
type linearSteps struct {
	halves   int                                                                        // of an octet
	place    func(layer reg.GPVirtual) func(half int, hashes, own, places Mem)          // mixes hashes, and places them in the layer
	bumped   func() func(half int, places, headers, numbers Mem)                        // appends the numbers of bumped keys
	rows     func() func(half int, hashes, places, headers Mem, at reg.GPVirtual)       // prepares keys of a block
	pick     func(shape reg.GPVirtual) Mem                                              // bytes that pick the parities
	parities func() func(row, line, pick, parities Mem)                                 // of the bits of a line's bytes that are in a key's row
	answers  func(words int) func(half int, places Mem, at, slots, found reg.GPVirtual) // compares the planes and the tail, which is in so many words, with the fingerprints
}

func newLinearBatch(f *kernel.File, level kernel.Level, name string) *linearBatch {
	fn := f.Function(level, name, "func(k *Kernel, hashes *uint64, hits *uint64, n int, far bool)",
		name+" looks up n hashes, at least one, and sets their bits. Those behind them in",
		"the last word are 0. It prefetches lines if the filter is far.")
	arg := func(name string) Mem { return fn.Address(fn.Param(name)) }
	memory, bytes := fn.GP64(), 0
	local := func(n int) Mem {
		m := Mem{Base: memory, Disp: bytes}
		bytes += (n + lineBytes - 1) &^ (lineBytes - 1)
		return m
	}
	words := func(keys int) Mem { return local(8 * keys) }
	b := &linearBatch{
		fn: fn, filter: arg("k"), hashes: arg("hashes"), hits: arg("hits"), n: arg("n"), far: arg("far"),
		now: words(1), then: words(1), keysNow: words(1), keysThen: words(1),
		rest: words(octet), numbers: local(2 * linearRoomKeys), bumped: fn.GP64(), layersLeft: words(1),
		block: linearBlock{rows: words(wordKeys), words: words(wordKeys), offsets: words(wordKeys), parities: words(wordKeys)},
	}
	for i := range b.block.tails {
		b.block.tails[i] = words(wordKeys)
	}
	b.block.picks = local(2 * lineBytes)
	rooms := [2]Mem{local(linearRoom), local(linearRoom)}
	fn.LEAQ(fn.AllocLocal(bytes+lineBytes-8).Offset(lineBytes-8), memory) // vectors are in one line of the cache
	fn.ANDQ(I8(-lineBytes), memory)
	room := fn.GP64()
	for i, address := range []Mem{b.now, b.then} {
		fn.LEAQ(rooms[i], room)
		fn.MOVQ(room, address)
	}
	return b
}

// emit emits the loop over the groups.
func (b *linearBatch) emit() {
	b.fn.MOVQ(U32(0), b.keysNow)
	for i := range 2 {
		shape := b.shape(i)
		for half := range 2 {
			pick := b.fn.YMM()
			b.fn.VMOVDQU(b.steps.pick(shape).Offset(half*lineBytes/2), pick)
			b.fn.VMOVDQU(pick, b.block.picks.Offset(i*lineBytes+half*lineBytes/2))
		}
	}

	b.fn.Label("group")
	b.settle()
	b.fn.Label("settled")
	keys, room := b.fn.GP64(), b.fn.GP64()
	b.fn.CMPB(b.far, U8(0))
	b.fn.JNE(LabelRef("ahead"))
	b.fn.Comment("A group of a near filter needs one room.")
	b.fn.MOVQ(b.then, room)
	b.fn.MOVQ(room, b.now)
	b.fn.MOVQ(b.keysThen, keys)
	b.fn.MOVQ(keys, b.keysNow)
	b.fn.JMP(LabelRef("lines"))
	b.fn.Label("ahead")
	b.fn.CMPQ(b.keysNow, U8(0))
	b.fn.JNE(LabelRef("lines"))
	b.prefetchFirst()
	b.fn.JMP(LabelRef("looked"))
	b.fn.Label("lines")
	b.lookAtLines()
	b.fn.CMPB(b.far, U8(0))
	b.fn.JNE(LabelRef("looked"))
	b.fn.MOVQ(U32(0), b.keysNow)
	b.fn.CMPQ(b.n, U8(0))
	b.fn.JNE(LabelRef("group"))
	b.fn.JMP(LabelRef("end"))
	b.fn.Label("looked")
	next := b.fn.GP64()
	b.fn.MOVQ(b.now, room)
	b.fn.MOVQ(b.then, next)
	b.fn.MOVQ(room, b.then)
	b.fn.MOVQ(next, b.now)
	b.fn.MOVQ(b.keysThen, keys)
	b.fn.MOVQ(keys, b.keysNow)
	b.fn.TESTQ(keys, keys)
	b.fn.JNZ(LabelRef("group"))
	b.fn.Label("end")
	b.fn.VZEROUPPER()
	b.fn.RET()
}

// kernelField is a field of the filter, whose address it loads.
func (b *linearBatch) kernelField(name string) Mem {
	filter := b.fn.GP64()
	b.fn.MOVQ(b.filter, filter)
	return b.fn.Field(filter, "Kernel", name)
}

// shape loads the address of the shape of lines in first or second sections.
func (b *linearBatch) shape(section int) reg.GPVirtual {
	shape := b.fn.GP64()
	b.fn.MOVQ(b.kernelField("linearShapes").Offset(8*section), shape)
	return shape
}

// each emits a loop over octets of keys, from a number on to another.
func (b *linearBatch) each(label string, key, to reg.GPVirtual, do func()) {
	b.fn.Label(label)
	do()
	b.fn.ADDQ(U8(octet), key)
	b.fn.CMPQ(key, to)
	b.fn.JLT(LabelRef(label))
}

// loadLine loads the number of a line of a place.
func (b *linearBatch) loadLine(place Mem) reg.GPVirtual {
	line := b.fn.GP64()
	b.fn.MOVL(place.Offset(4), line.As32())
	return line
}

// prefetchFirst prefetches the lines of the first group.
func (b *linearBatch) prefetchFirst() {
	base, key, then := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(b.kernelField("body"), base)
	b.fn.MOVQ(b.then, then)
	b.fn.XORL(key.As32(), key.As32())
	b.fn.Label("first")
	b.prefetchLine(base, then, key, 0)
	b.fn.INCQ(key)
	b.fn.CMPQ(key, b.keysThen)
	b.fn.JLT(LabelRef("first"))
}

// prefetchLine prefetches the line of a key of the next group.
func (b *linearBatch) prefetchLine(base, then, key reg.GPVirtual, i int) {
	_, place, _ := roomOf(then, key)
	line := b.loadLine(place.Offset(8 * i))
	b.fn.SHLQ(U8(lineShift), line)
	fromMemory(b.fn, Mem{Base: base, Index: line, Scale: 1})
}

const lineShift = 6 // from a line's number to its offset
