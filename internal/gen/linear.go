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
	linearSingle(f, kernel.AVX512, "linearContainsAVX512", (*linearKey).planes512)
	linearSingle(f, kernel.AVX2, "linearContainsAVX2", (*linearKey).planes256)
	entries(f, "linearEntries", "linearContainsGo", "linearContainsAVX2", "linearContainsAVX512", "linearContainsAVX512")
	linearData(f, kernel.AVX512, "linearDataContainsAVX512", (*linearKey).planes512)
	linearData(f, kernel.AVX2, "linearDataContainsAVX2", (*linearKey).planes256)
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
	fn                                         *kernel.Function
	shape, base, from, numbers, n, hits, queue reg.GPVirtual

	lines, orders reg.VecVirtual // their number, and the bits of a place in an order
	queued        reg.GPVirtual
	octets        reg.GPVirtual // 8 times their number, of the 64 hashes
	at            reg.GPVirtual // 8 times the number of a key

	hashes, products, offsets, multiplied, masks Mem // words of 64 keys, on the stack
	offsetsAhead                                 Mem // of the lines of 64 keys that are ahead
	words                                        [linearLoads]Mem
	below                                        Mem // a byte for each octet
}

func (b *linearBatch) field(name string) Mem { return b.fn.Field(b.shape, "linearShape", name) }

// linearSteps are the steps of a level.
type linearSteps struct {
	ahead    func(hashes reg.GPVirtual) // finds the lines of the hashes that are ahead
	locate   func(bumped Mem)           // finds the lines of the hashes, and their places in the lines' orders
	rows     func()                     // multiplies the rows, and queues the bumped keys
	parities func() func(key int)       // of the bits of a line's bytes that are in a key's row
	answers  func()                     // compares the planes and the tail with the fingerprints
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
	scratch := func() Mem { return fn.AllocLocal(wordKeys * hashBytes) }
	b := &linearBatch{
		fn: fn, shape: param("s"), base: param("layer"), from: param("hashes"), numbers: param("numbers"),
		n: param("n"), hits: param("hits"), queue: param("queue"), queued: fn.GP64(),
		octets: fn.GP64(), at: fn.GP64(),
		hashes: scratch(), products: scratch(), offsets: scratch(), multiplied: scratch(), masks: scratch(), offsetsAhead: scratch(),
	}
	for i := range b.words {
		b.words[i] = scratch()
	}
	b.below = fn.AllocLocal(wordKeys / octet)
	return b
}

// emit emits the loop over blocks of 64 hashes.
func (b *linearBatch) emit(steps linearSteps) {
	b.fn.XORQ(b.queued, b.queued)

	b.fn.Label("block")
	b.fn.MOVQ(U32(wordKeys), b.octets)
	b.fn.CMPQ(b.n, b.octets)
	b.fn.CMOVQLT(b.n, b.octets)
	b.fn.SHLQ(U8(3), b.octets) // bytes of hashes
	ahead, hashes := b.fn.GP64(), b.fn.GP64()
	b.fn.Load(b.fn.Param("ahead"), ahead)
	b.fn.TESTQ(ahead, ahead)
	b.fn.JZ(LabelRef("near"))
	b.fn.Comment("Lines ahead.")
	b.fn.LEAQ(Mem{Base: b.from, Index: ahead, Scale: hashBytes}, hashes)
	steps.ahead(hashes)
	b.fn.Label("near")
	b.fn.Comment("Lines.")
	steps.locate(b.fn.Address(b.fn.Param("bumped")))
	b.load()
	b.fn.Comment("Rows, and the bumped keys.")
	steps.rows()
	b.fn.Comment("The parities of the bytes.")
	b.parities(steps.parities())
	b.fn.Comment("Answers.")
	steps.answers()
	b.fn.ADDQ(U32(wordKeys*hashBytes), b.from)
	b.fn.ADDQ(U32(wordKeys*2), b.numbers)
	b.fn.ADDQ(U8(wordKeys/octet), b.hits)
	b.fn.SUBQ(U8(wordKeys), b.n)
	b.fn.JG(LabelRef("block"))
	b.fn.Store(b.queued, b.fn.ReturnIndex(0))
	b.fn.VZEROUPPER()
	b.fn.RET()
}

// parities emits the loop over the keys that takes longest. Lines ahead are prefetched
// between them: all at once, they would wait for each other.
func (b *linearBatch) parities(of func(key int)) {
	b.fn.CMPQ(b.fn.Address(b.fn.Param("ahead")), U8(0))
	b.fn.JNE(LabelRef("far"))
	b.each("nearParities", func() {
		for key := range octet {
			of(key)
		}
	})
	b.fn.JMP(LabelRef("answer"))
	b.fn.Label("far")
	b.each("parities", func() {
		for key := range octet {
			offset := b.fn.GP64()
			b.fn.MOVQ(b.word(b.offsetsAhead).Offset(8*key), offset)
			b.fn.PREFETCHT1(Mem{Base: b.base, Index: offset, Scale: 1})
			of(key)
		}
	})
	b.fn.Label("answer")
}

// load loads the words of the lines that have the header and the tail.
func (b *linearBatch) load() {
	b.fn.Comment("Headers.")
	for i, label := range [linearLoads]string{"headers", "second", "third"} {
		if i > 0 {
			b.fn.CMPQ(b.field("loads"), U8(uint8(i)))
			b.fn.JLE(LabelRef("loaded"))
		}
		from := b.fn.GP64()
		b.fn.MOVQ(b.field("load").Offset(8*i), from)
		b.fn.ADDQ(b.base, from)
		b.each(label, func() {
			for key := range octet {
				offset, word := b.fn.GP64(), b.fn.GP64()
				b.fn.MOVQ(b.word(b.offsets).Offset(8*key), offset)
				b.fn.MOVQ(Mem{Base: from, Index: offset, Scale: 1}, word)
				b.fn.MOVQ(word, b.word(b.words[i]).Offset(8*key))
			}
		})
	}
	b.fn.Label("loaded")
}

func (b *linearBatch) octetNumber() reg.GPVirtual {
	number := b.fn.GP64()
	b.fn.MOVQ(b.at, number)
	b.fn.SHRQ(U8(6), number)
	return number
}

// each emits a loop over the octets of the 64 hashes.
func (b *linearBatch) each(label string, do func()) {
	b.fn.XORQ(b.at, b.at)
	b.fn.Label(label)
	do()
	b.fn.ADDQ(U8(octet*hashBytes), b.at)
	b.fn.CMPQ(b.at, b.octets)
	b.fn.JLT(LabelRef(label))
}

// numbers16 is where the numbers of an octet are.
func (b *linearBatch) numbers16() Mem {
	at := b.fn.GP64()
	b.fn.MOVQ(b.at, at)
	b.fn.SHRQ(U8(2), at)
	return Mem{Base: b.numbers, Index: at, Scale: 1}
}

func (b *linearBatch) word(of Mem) Mem { return of.Idx(b.at, 1) }
