package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// linear emits the kernels of linear filters (docs/linear.md).
func linear(f *kernel.File) {
	linearBatch512(f)
	linearBatch256(f)
	linearSolve512(f)
}

// The constants of a linear filter's hash, as package fallback has them.
const (
	linearHigh = 0x9e3779b1
	linearLow  = 0x85ebca77
	linearNext = 0xd6e8feb86659fd93
)

// linearSeeds are the multipliers that rows come from.
var linearSeeds = [4]uint64{0xed5ad4bb, 0xac4c1b51, 0xf1357ae9, 0xc2b2ae3d}

// linearLoads is how many words of a line its tail and its header are in, at most.
const linearLoads = 3

// A linearBatch looks up hashes in one layer of a linear filter, 64 at a time. Every step
// is done for all of them before the next one: what a step stores as single words is
// loaded as vectors when it has reached the cache.
type linearBatch struct {
	*kernel.Function
	shape, base, from, numbers, n, hits, queue reg.GPVirtual

	lines, orders reg.VecVirtual // their number, and the bits of a place in an order
	queued        reg.GPVirtual
	octets        reg.GPVirtual // 8 times their number, of the 64 hashes
	at            reg.GPVirtual // 8 times the number of a key

	hashes, products, offsets, multiplied, masks Mem // words of 64 keys, on the stack
	words                                        [linearLoads]Mem
	below                                        Mem // a byte for each octet
}

func (b *linearBatch) field(name string) Mem { return b.Field(b.shape, "linearShape", name) }

// linearSteps are the steps of a level.
type linearSteps struct {
	prefetch func(ahead reg.GPVirtual) // the lines of the hashes that are ahead
	locate   func(bumped Mem)          // finds the lines of the hashes, and their places in the lines' orders
	rows     func()                    // multiplies the rows, and queues the bumped keys
	parities func()                    // of the bits of a line's bytes that are in the row
	answers  func()                    // compares the planes and the tail with the fingerprints
}

// newLinearBatch begins the kernel of a level.
func newLinearBatch(f *kernel.File, level kernel.Level, name string) *linearBatch {
	fn := f.Function(level, name,
		"func(s *linearShape, layer *byte, lines int, hashes *uint64, numbers *uint16, n int, hits *byte, queue *linearQueue, bumped bool, ahead int) int",
		name+" looks up n hashes, whole octets, in one layer. It sets the bits of those that it",
		"finds, puts the others that were bumped from their lines into the queue, with their",
		"numbers, and returns how many these are. The hashes and the numbers may be the queue's. If",
		"they were bumped themselves, they are hashed again first. If ahead is not 0, it prefetches the",
		"lines of hashes[i+ahead], which must exist.")
	param := func(name string) reg.GPVirtual { return fn.Load(fn.Param(name), fn.GP64()).(reg.GPVirtual) }
	room := func() Mem { return fn.AllocLocal(wordKeys * hashBytes) }
	b := &linearBatch{
		Function: fn, shape: param("s"), base: param("layer"), from: param("hashes"), numbers: param("numbers"),
		n: param("n"), hits: param("hits"), queue: param("queue"), queued: fn.GP64(),
		octets: fn.GP64(), at: fn.GP64(),
		hashes: room(), products: room(), offsets: room(), multiplied: room(), masks: room(),
	}
	for i := range b.words {
		b.words[i] = room()
	}
	b.below = fn.AllocLocal(wordKeys / octet)
	return b
}

// emit emits the loop over blocks of 64 hashes.
func (b *linearBatch) emit(steps linearSteps) {
	b.XORQ(b.queued, b.queued)

	b.Label("block")
	b.MOVQ(U32(wordKeys), b.octets)
	b.CMPQ(b.n, b.octets)
	b.CMOVQLT(b.n, b.octets)
	b.SHLQ(U8(3), b.octets) // bytes of hashes
	ahead := b.Load(b.Param("ahead"), b.GP64()).(reg.GPVirtual)
	b.TESTQ(ahead, ahead)
	b.JZ(LabelRef("near"))
	b.Comment("Lines ahead.")
	steps.prefetch(ahead)
	b.Label("near")
	b.Comment("Lines.")
	steps.locate(b.Address(b.Param("bumped")))
	b.load()
	b.Comment("Rows, and the bumped keys.")
	steps.rows()
	b.Comment("The parities of the bytes.")
	steps.parities()
	b.Comment("Answers.")
	steps.answers()
	b.ADDQ(U32(wordKeys*hashBytes), b.from)
	b.ADDQ(U32(wordKeys*2), b.numbers)
	b.ADDQ(U8(wordKeys/octet), b.hits)
	b.SUBQ(U8(wordKeys), b.n)
	b.JG(LabelRef("block"))
	b.Store(b.queued, b.ReturnIndex(0))
	b.VZEROUPPER()
	b.RET()
}

// load loads the words of the lines that have the header and the tail.
func (b *linearBatch) load() {
	b.Comment("Headers.")
	for i, label := range [linearLoads]string{"headers", "second", "third"} {
		if i > 0 {
			b.CMPQ(b.field("loads"), U8(uint8(i)))
			b.JLE(LabelRef("loaded"))
		}
		from := b.GP64()
		b.MOVQ(b.field("load").Offset(8*i), from)
		b.ADDQ(b.base, from)
		b.each(label, func() {
			for key := range octet {
				offset, word := b.GP64(), b.GP64()
				b.MOVQ(b.word(b.offsets).Offset(8*key), offset)
				b.MOVQ(Mem{Base: from, Index: offset, Scale: 1}, word)
				b.MOVQ(word, b.word(b.words[i]).Offset(8*key))
			}
		})
	}
	b.Label("loaded")
}

func (b *linearBatch) octetNumber() reg.GPVirtual {
	number := b.GP64()
	b.MOVQ(b.at, number)
	b.SHRQ(U8(6), number)
	return number
}

// each emits a loop over the octets of the 64 hashes.
func (b *linearBatch) each(label string, do func()) {
	b.XORQ(b.at, b.at)
	b.Label(label)
	do()
	b.ADDQ(U8(octet*hashBytes), b.at)
	b.CMPQ(b.at, b.octets)
	b.JLT(LabelRef(label))
}

// numbers16 is where the numbers of an octet are.
func (b *linearBatch) numbers16() Mem {
	at := b.GP64()
	b.MOVQ(b.at, at)
	b.SHRQ(U8(2), at)
	return Mem{Base: b.numbers, Index: at, Scale: 1}
}

func (b *linearBatch) word(of Mem) Mem { return of.Idx(b.at, 1) }
