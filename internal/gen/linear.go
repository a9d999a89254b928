package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
)

// linear emits the kernels of linear filters (docs/linear-format.md).
func linear(f *kernel.File) {
	linearBatch512(f)
	linearSolve512(f)
}

// The constants of a linear filter's hash, as package fallback has them.
const (
	linearHigh = 0x9e3779b1
	linearLow  = 0x85ebca77
	linearNext = 0xd6e8feb86659fd93
)

// linearSeeds are the multipliers that rows come from, twice: a bit of the threshold
// comes after the bits of the seed.
var linearSeeds = [8]uint64{
	0xed5ad4bb, 0xac4c1b51, 0xf1357ae9, 0xc2b2ae3d,
	0xed5ad4bb, 0xac4c1b51, 0xf1357ae9, 0xc2b2ae3d,
}

// linearLoads is how many words of a line its tail and its header are in, at most.
const linearLoads = 3

// A linearBatch looks up hashes in one layer of a linear filter, 64 at a time. Every step
// is done for all of them before the next one: what a step stores as single words is
// loaded as vectors when it has reached the cache.
type linearBatch struct {
	*kernel.Function
	shape, base, from, numbers, n, hits, queue reg.GPVirtual

	queued reg.GPVirtual
	octets reg.GPVirtual // 8 times their number, of the 64 hashes
	at     reg.GPVirtual // 8 times the number of a key

	hashes, products, offsets, multiplied, masks Mem // words of 64 keys, on the stack
	words                                        [linearLoads]Mem
	below                                        Mem // a byte for each octet
}

func (b *linearBatch) field(name string) Mem { return b.Field(b.shape, "linearShape", name) }

// linearBatch512 has one loop for all lengths of fingerprints: the shape's vectors say
// where planes and slots are. (GFNI's parity of each byte takes as long as VPOPCNTB and
// VPTESTMB.)
func linearBatch512(f *kernel.File) {
	const name = "linearLayerAVX512"
	fn := f.Function(kernel.AVX512, name,
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

	orders := b.ZMM()
	b.VPBROADCASTQ(b.Words("orders", 63), orders)
	b.XORQ(b.queued, b.queued)

	b.Label("block")
	b.MOVQ(U32(wordKeys), b.octets)
	b.CMPQ(b.n, b.octets)
	b.CMOVQLT(b.n, b.octets)
	b.SHLQ(U8(3), b.octets) // bytes of hashes
	all, ahead := b.ZMM(), param("ahead")
	b.VPBROADCASTQ(param("lines"), all)
	b.TESTQ(ahead, ahead)
	b.JZ(LabelRef("near"))
	b.prefetch(ahead, all, orders)
	b.Label("near")
	b.locate(all, orders, fn.Address(fn.Param("bumped")))
	b.load()
	b.rows(orders)
	b.parities()
	b.answers()
	b.ADDQ(U32(wordKeys*hashBytes), b.from)
	b.ADDQ(U32(wordKeys*2), b.numbers)
	b.ADDQ(U8(wordKeys/octet), b.hits)
	b.SUBQ(U8(wordKeys), b.n)
	b.JG(LabelRef("block"))
	b.Store(b.queued, b.ReturnIndex(0))
	b.VZEROUPPER()
	b.RET()
}

// prefetch prefetches the lines of the hashes that are ahead.
func (b *linearBatch) prefetch(ahead reg.GPVirtual, lines, orders reg.VecVirtual) {
	b.Comment("Lines ahead.")
	hashes := b.GP64()
	b.LEAQ(Mem{Base: b.from, Index: ahead, Scale: hashBytes}, hashes)
	b.each("ahead", func() {
		offsets := b.ZMM()
		b.VPMULUDQ(Mem{Base: hashes, Index: b.at, Scale: 1}, lines, offsets)
		b.VPSRLQ(U8(26), offsets, offsets)
		b.VPANDNQ(offsets, orders, offsets)
		b.VMOVDQU64(offsets, b.word(b.offsets))
		for key := range octet {
			offset := b.GP64()
			b.MOVQ(b.word(b.offsets).Offset(8*key), offset)
			b.PREFETCHT1(Mem{Base: b.base, Index: offset, Scale: 1})
		}
	})
}

// locate finds the lines of the hashes, and their places in the lines' orders.
func (b *linearBatch) locate(lines, orders reg.VecVirtual, bumped Mem) {
	b.Comment("Lines.")
	next := b.ZMM()
	b.VPBROADCASTQ(b.Words("linearNext", linearNext), next)
	b.each("lines", func() {
		hash, product := b.ZMM(), b.ZMM()
		b.VMOVDQU64(Mem{Base: b.from, Index: b.at, Scale: 1}, hash)
		b.CMPB(bumped, U8(0))
		b.JE(LabelRef("first"))
		b.VPMULLQ(next, hash, hash)
		b.VPROLQ(U8(32), hash, hash)
		b.Label("first")
		b.VMOVDQU64(hash, b.word(b.hashes))
		b.VPMULUDQ(hash, lines, product)
		b.VPSRLQ(U8(26), product, product)
		b.VMOVDQU64(product, b.word(b.products))
		b.VPANDNQ(product, orders, product)
		b.VMOVDQU64(product, b.word(b.offsets))
	})
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

// rows multiplies the rows, and queues the bumped keys.
func (b *linearBatch) rows(orders reg.VecVirtual) {
	b.Comment("Rows, and the bumped keys.")
	seeds, most := b.ZMM(), b.ZMM()
	b.VMOVDQU64(b.Words("linearSeeds", linearSeeds[:]...), seeds)
	b.VPBROADCASTQ(b.Words("highestOrder", 62), most)
	b.each("rows", func() {
		header, hash, row, order, threshold := b.ZMM(), b.ZMM(), b.ZMM(), b.ZMM(), b.ZMM()
		b.VMOVDQU64(b.word(b.words[0]), header)
		b.VMOVDQU64(b.word(b.hashes), hash)
		b.VPSRLQ(U8(56), header, threshold)
		b.VPERMQ(seeds, threshold, threshold)
		b.VPSRLQ(U8(32), hash, row)
		b.VPMULUDQ(threshold, row, row)
		b.VMOVDQU64(row, b.word(b.multiplied))
		b.VPANDQ(b.word(b.products), orders, order)
		b.VPMINUD(most, order, order)
		b.VPSRLQ(U8(58), header, threshold)
		bumped := b.K()
		const less = 1
		b.VPCMPUQ(U8(less), threshold, order, bumped)
		b.enqueue(bumped, hash)
	})
}

// enqueue puts the bumped keys of an octet into the queue.
func (b *linearBatch) enqueue(bumped reg.OpmaskVirtual, hash reg.VecVirtual) {
	octetNumber, count, number := b.octetNumber(), b.GP64(), b.XMM()
	b.KMOVB(bumped, count.As32())
	b.MOVB(count.As8(), b.below.Idx(octetNumber, 1))
	b.POPCNTQ(count, count)
	b.VPCOMPRESSQ_Z(hash, bumped, hash) // to memory it is slow
	hashes := b.Field(b.queue, "linearQueue", "hashes")
	b.VMOVDQU64(hash, hashes.Idx(b.queued, hashBytes))
	b.VMOVDQU16(b.numbers16(), number)
	b.VPCOMPRESSW_Z(number, bumped, number)
	numbers := b.Field(b.queue, "linearQueue", "numbers")
	b.VMOVDQU16(number, numbers.Idx(b.queued, 2))
	b.ADDQ(count, b.queued)
}

// parities finds which bits of a line's bytes are in the row, and their parities.
func (b *linearBatch) parities() {
	b.Comment("The parities of the bytes.")
	control, ones := b.ZMM(), b.ZMM()
	b.VMOVDQU64(b.field("control"), control)
	b.VPBROADCASTQ(b.Words("allBits", 0xff), ones)
	b.each("parities", func() {
		for key := range octet {
			offset, bytes, mask := b.GP64(), b.ZMM(), b.K()
			b.MOVQ(b.word(b.offsets).Offset(8*key), offset)
			b.VPMULTISHIFTQB_BCST(b.word(b.multiplied).Offset(8*key), control, bytes)
			b.VPANDQ(Mem{Base: b.base, Index: offset, Scale: 1}, bytes, bytes)
			b.VGF2P8AFFINEQB(U8(0), ones, bytes, bytes) // bit 7 is the parity
			b.VPMOVB2M(bytes, mask)
			b.KMOVQ(mask, b.word(b.masks).Offset(8*key))
		}
	})
}

// answers compares the planes and the tail with the fingerprints.
func (b *linearBatch) answers() {
	b.Comment("Answers.")
	high, low, columns, top, fingerprint := b.ZMM(), b.ZMM(), b.ZMM(), b.ZMM(), b.ZMM()
	var by [3]reg.VecVirtual // one plane, two, four
	for i := range by {
		by[i] = b.ZMM()
	}
	b.VPBROADCASTQ(b.Words("linearHigh", linearHigh), high)
	b.VPBROADCASTQ(b.Words("linearLow", linearLow), low)
	b.VPBROADCASTQ(b.field("columns"), columns)
	b.VPBROADCASTQ(b.field("bits"), by[0])
	b.VPADDQ(by[0], by[0], by[1])
	b.VPADDQ(by[1], by[1], by[2])
	b.VPBROADCASTQ(b.field("top"), top)
	b.VPBROADCASTQ(b.field("fingerprint"), fingerprint)
	b.each("answers", func() {
		sum, shifted, found := b.ZMM(), b.ZMM(), b.K()
		b.VPANDQ(b.word(b.masks), columns, sum)
		for i := range by {
			b.VPSRLVQ(by[len(by)-1-i], sum, shifted)
			b.VPXORQ(shifted, sum, sum)
		}
		word := b.hashWords(high, low)
		b.VPSRLVQ(top, word, shifted)
		b.VPXORQ(shifted, sum, sum)
		b.addTail(word, sum)
		b.VPTESTNMQ(fingerprint, sum, found)
		octetNumber, answer, bumped := b.octetNumber(), b.GP64(), b.GP64()
		b.MOVBLZX(b.below.Idx(octetNumber, 1), bumped.As32())
		b.KMOVB(found, answer.As32())
		b.NOTL(bumped.As32())
		b.ANDL(bumped.As32(), answer.As32())
		b.MOVB(answer.As8(), Mem{Base: b.hits, Index: octetNumber, Scale: 1})
	})
}

// hashWords returns what the fingerprints and the tail's rows are taken from.
func (b *linearBatch) hashWords(high, low reg.VecVirtual) reg.VecVirtual {
	hash, word := b.ZMM(), b.ZMM()
	b.VMOVDQU64(b.word(b.hashes), hash)
	b.VPSRLQ(U8(32), hash, word)
	b.VPMULUDQ(high, word, word)
	b.VPMULUDQ(low, hash, hash)
	b.VPSLLQ(U8(32), hash, hash)
	b.VPXORQ(hash, word, word)
	return word
}

// addTail adds the slots of the tail that are in the rows.
func (b *linearBatch) addTail(word, sum reg.VecVirtual) {
	slot, slots, place := b.GP64(), b.GP64(), b.GP64()
	row, tail, some := b.ZMM(), b.ZMM(), b.K()
	b.MOVQ(b.field("tail"), slots)
	b.TESTQ(slots, slots)
	b.JZ(LabelRef("noTail"))
	b.VPSRLQ(U8(53), b.word(b.words[0]), tail)
	b.VPANDQ_BCST(b.Words("seedShift", 3<<3), tail, tail)
	b.VPSRLVQ(tail, word, word)
	b.LEAQ(b.field("slots"), slot)
	b.VPBROADCASTQ(b.Words("one", 1), row)
	b.Label("slot")
	b.VPTESTMQ(row, word, some)
	b.VPADDQ(row, row, row)
	b.MOVQ(Mem{Base: slot}, place)
	b.ADDQ(b.at, place)
	b.VMOVDQU64(b.words[0].Idx(place, 1), tail)
	b.VPSRLVQ_BCST(Mem{Base: slot, Disp: 8}, tail, tail)
	b.VPXORQ(tail, sum, some, sum)
	b.ADDQ(U8(16), slot)
	b.DECQ(slots)
	b.JNZ(LabelRef("slot"))
	b.Label("noTail")
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
