package linear

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// A batch looks up hashes in a linear filter, one group of keys after the other. It finds the lines
// of all keys of a group by the headers, layer after layer, before it reads a line. Then it looks at the
// lines, and meanwhile prefetches those of the next group, and the headers in the first layer of the group
// after that, the later one. Every step is done for many keys before the next one: what a step stores as
// single words is loaded as vectors when it has reached the cache.
type batch struct {
	fn    *kernel.Function
	steps steps

	filter, hashes, hits, n, far Mem           // the arguments
	now, then, later             Mem           // the addresses of rooms: of the group whose lines are looked at, of the next one, and of the later one
	keysNow, keysThen, keysLater Mem           // the numbers of keys in these
	places, placesLater          Mem           // the addresses of rooms, from a block's first key on
	rest                         Mem           // the last hashes, fewer than an octet
	numbers                      Mem           // of the bumped keys in a group
	bumped                       reg.GPVirtual // how many these are
	layersLeft                   Mem
	block                        block
}

// A room has the state of a group's keys: the hash as its section has it, the place, and the
// header of the line. The place has the line's number in its upper half. Bits 26 to 31 say where the key
// is in the line's order. The lowest byte is 0 in first sections and 64 in second ones. There is room for
// an octet behind the keys.
//
// Near filters have one room. The three rooms of far ones lie in the same memory, as groups are smaller.
const (
	linearGroup      = 512
	linearFarGroup   = 256                // if lines are prefetched
	linearFarRoom    = 8 * linearFarGroup // from one room to the next
	linearRoomKeys   = 3*linearFarGroup + shared.Octet
	linearRoomHash   = 0
	linearRoomPlace  = linearRoomHash + 8*linearRoomKeys
	linearRoomHeader = linearRoomPlace + 8*linearRoomKeys
	linearRooms      = linearRoomHeader + 2*linearFarRoom + linearFarGroup + shared.Octet
)

// The prefetching, as package asm chooses it.
const (
	linearNear       = 0 // nothing
	linearHeadersFar = 2 // headers and lines
)

// roomOf returns a key's hash, place and header in a room.
func roomOf(room, key reg.GPVirtual) (hash, place, header Mem) {
	return Mem{Base: room, Disp: linearRoomHash, Index: key, Scale: 8},
		Mem{Base: room, Disp: linearRoomPlace, Index: key, Scale: 8},
		Mem{Base: room, Disp: linearRoomHeader, Index: key, Scale: 1}
}

// A block has the values that are stored for 64 keys: the products that have their rows, the words that have their
// fingerprints and rows of the tail, the offsets of their lines, the parities of the lines' bytes, and
// the words of the lines that have the tail. It also has the bytes that pick the parities, for both
// sections.
type block struct {
	rows, words, offsets, parities Mem
	tails                          [linearTailWords]Mem
	picks                          Mem
}

// linearTailWords is how many words of a line have its tail, at most: the last ones.
const linearTailWords = 3

// steps are the steps of a level. Those with a half are for a vector of an octet's keys.
type steps struct {
	halves   int                                                                        // of an octet
	place    func(layer reg.GPVirtual) func(half int, hashes, own, places Mem)          // mixes hashes, and places them in the layer
	bumped   func() func(half int, places, headers, numbers Mem)                        // appends the numbers of bumped keys
	rows     func() func(half int, hashes, places, headers Mem, at reg.GPVirtual)       // prepares keys of a block
	pick     func(shape reg.GPVirtual) Mem                                              // bytes that pick the parities
	parities func() func(row, line, pick, parities Mem)                                 // of the bits of a line's bytes that are in a key's row
	answers  func(words int) func(half int, places Mem, at, slots, found reg.GPVirtual) // compares the planes and the tail, which is in that number of words, with the fingerprints
}

func newBatch(f *kernel.File, level kernel.Level, name string) *batch {
	fn := f.Function(level, name, "func(k *Kernel, hashes *uint64, hits *uint64, n int, far uint8)",
		name+" looks up n hashes, at least one, and sets their bits. Those behind them in",
		"the last word are 0.")
	arg := func(name string) Mem { return fn.Address(fn.Param(name)) }
	memory, bytes := fn.GP64(), 0
	local := func(n int) Mem {
		m := Mem{Base: memory, Disp: bytes}
		bytes += (n + shared.LineBytes - 1) &^ (shared.LineBytes - 1)
		return m
	}
	words := func(keys int) Mem { return local(8 * keys) }
	b := &batch{
		fn: fn, filter: arg("k"), hashes: arg("hashes"), hits: arg("hits"), n: arg("n"), far: arg("far"),
		now: words(1), then: words(1), later: words(1), keysNow: words(1), keysThen: words(1), keysLater: words(1),
		places: words(1), placesLater: words(1),
		rest: words(shared.Octet), numbers: local(2 * (linearGroup + shared.Octet)), bumped: fn.GP64(), layersLeft: words(1),
		block: block{rows: words(shared.WordKeys), words: words(shared.WordKeys), offsets: words(shared.WordKeys), parities: words(shared.WordKeys)},
	}
	for i := range b.block.tails {
		b.block.tails[i] = words(shared.WordKeys)
	}
	b.block.picks = local(2 * shared.LineBytes)
	rooms := local(linearRooms)
	shared.OwnOfArgument(fn, b.filter)
	shared.Room(fn, bytes, memory)
	room, next, near := fn.GP64(), fn.GP64(), fn.GP64()
	fn.LEAQ(rooms, room)
	fn.XORL(near.As32(), near.As32())
	fn.MOVL(U32(linearFarRoom), next.As32())
	fn.CMPB(b.far, U8(linearNear))
	fn.CMOVQEQ(near, next)
	for _, address := range []Mem{b.now, b.then, b.later} {
		fn.MOVQ(room, address)
		fn.ADDQ(next, room)
	}
	return b
}

// emit emits the loop over the groups.
func (b *batch) emit() {
	b.fn.MOVQ(U32(0), b.keysNow)
	b.fn.MOVQ(U32(0), b.keysThen)
	for i := range 2 {
		shape := b.shape(i)
		for half := range 2 {
			pick := b.fn.YMM()
			b.fn.VMOVDQU(b.steps.pick(shape).Offset(half*shared.LineBytes/2), pick)
			b.fn.VMOVDQU(pick, b.block.picks.Offset(i*shared.LineBytes+half*shared.LineBytes/2))
		}
	}

	b.fn.Label("group")
	b.place()
	b.fn.CMPB(b.far, U8(linearHeadersFar))
	b.fn.JEQ(LabelRef("settle"))
	b.fn.Comment("The later group is the next one at once.")
	b.swap(b.then, b.later)
	b.swap(b.keysThen, b.keysLater)
	b.fn.Label("settle")
	b.settle()
	b.fn.CMPB(b.far, U8(linearNear))
	b.fn.JNE(LabelRef("ahead"))
	b.proceed()
	b.fn.Label("ahead")
	b.fn.CMPQ(b.keysNow, U8(0))
	b.fn.JNE(LabelRef("lines"))
	b.prefetchFirst()
	b.fn.JMP(LabelRef("looked"))
	b.fn.Label("lines")
	b.lookAtLines()
	b.fn.Label("looked")
	b.proceed()
	left := b.fn.GP64()
	b.fn.MOVQ(b.n, left)
	b.fn.ORQ(b.keysNow, left)
	b.fn.ORQ(b.keysThen, left)
	b.fn.JNZ(LabelRef("group"))
	b.fn.VZEROUPPER()
	b.fn.RET()
}

// proceed makes the next group the one whose lines are looked at, and the later one the next.
func (b *batch) proceed() {
	b.swap(b.now, b.then)
	b.swap(b.then, b.later)
	b.swap(b.keysNow, b.keysThen)
	b.swap(b.keysThen, b.keysLater)
}

func (b *batch) swap(x, y Mem) {
	ofX, ofY := b.fn.GP64(), b.fn.GP64()
	b.fn.MOVQ(x, ofX)
	b.fn.MOVQ(y, ofY)
	b.fn.MOVQ(ofX, y)
	b.fn.MOVQ(ofY, x)
}

// kernelField is a field of the filter, whose address it loads.
func (b *batch) kernelField(name string) Mem {
	filter := b.fn.GP64()
	b.fn.MOVQ(b.filter, filter)
	return b.fn.Field(filter, "linearFilter", name)
}

// shape loads the address of the shape of lines in first or second sections.
func (b *batch) shape(section int) reg.GPVirtual {
	shape := b.fn.GP64()
	b.fn.MOVQ(b.kernelField("shapes").Offset(8*section), shape)
	return shape
}

// each emits a loop over octets of keys, from a number on to another.
func (b *batch) each(label string, key, to reg.GPVirtual, do func()) {
	b.fn.Label(label)
	do()
	b.fn.ADDQ(U8(shared.Octet), key)
	b.fn.CMPQ(key, to)
	b.fn.JLT(LabelRef(label))
}

// loadLine loads the number of a line of a place.
func (b *batch) loadLine(place Mem) reg.GPVirtual {
	line := b.fn.GP64()
	b.fn.MOVL(place.Offset(4), line.As32())
	return line
}

// prefetchFirst prefetches the lines of the next group, and the headers of the later one, if there are any.
func (b *batch) prefetchFirst() {
	base, key, room := b.fn.GP64(), b.fn.GP64(), b.fn.GP64()
	each := func(label string, address, keys Mem, prefetch func(base, room, key reg.GPVirtual, i int)) {
		b.fn.MOVQ(address, room)
		b.fn.XORL(key.As32(), key.As32())
		b.fn.JMP(LabelRef(label + "Next"))
		b.fn.Label(label)
		prefetch(base, room, key, 0)
		b.fn.INCQ(key)
		b.fn.Label(label + "Next")
		b.fn.CMPQ(key, keys)
		b.fn.JLT(LabelRef(label))
	}
	b.fn.MOVQ(b.kernelField("headers"), base)
	each("firstHeaders", b.later, b.keysLater, b.prefetchHeader)
	b.fn.MOVQ(b.kernelField("lines"), base)
	each("firstLines", b.then, b.keysThen, b.prefetchLine)
}

// prefetchLine prefetches the line of a key in a room.
func (b *batch) prefetchLine(base, room, key reg.GPVirtual, i int) {
	_, place, _ := roomOf(room, key)
	line := b.loadLine(place.Offset(8 * i))
	b.fn.SHLQ(U8(lineShift), line)
	shared.FromMemory(b.fn, Mem{Base: base, Index: line, Scale: 1})
}

// prefetchHeader prefetches the header of a key's line.
func (b *batch) prefetchHeader(headers, room, key reg.GPVirtual, i int) {
	_, place, _ := roomOf(room, key)
	shared.FromMemory(b.fn, Mem{Base: headers, Index: b.loadLine(place.Offset(8 * i)), Scale: 1})
}

const lineShift = 6 // from a line's number to its offset
