package paired

import (
	"github.com/simdbloom/simdbloom/internal/gen/blocks"
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Two kernels look up a batch of keys in a paired filter. The first tests each key's own
// block only, as if all bits of the pair index were set: few absent keys pass. The second
// tests both blocks of those that passed, key by key, including the probes that fall on
// index bits.

// NEON emits both.
func NEON(f *kernel.File) {
	ownNEON(f)
	bothNEON(f)
}

// neonNumbers has the bits of a block's index that number it in its batch.
const neonNumbers neon.X = 9

// Registers of the first kernel.
const (
	neonNine, neonPair neon.X = 10, 11 // the pair's number

	neonIndexBits neon.V = 25 // of a block's first vector
)

// neonShape loads the address of the filter's shape over that of the filter, and the numbers, and halves the probes
// that it loads.
func neonShape(fn *neon.Function, half neon.X) {
	fn.Field(half, shared.NEONFilter, "Kernel", "probes", 0)
	fn.LsrI(half, half, 1)
	fn.Field(shared.NEONFilter, shared.NEONFilter, "Kernel", "own", 0)
	fn.LdrW(neonNumbers, shared.NEONFilter, fn.Offset("pairedShape", "numbers"))
}

// ownNEON emits the first kernel.
func ownNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "pairedContainsOwnNEON", "func(k *Kernel, hashes *uint64, hits *uint64, n, ahead int)",
		"pairedContainsOwnNEON answers n hashes, a multiple of 16, a bit for each, by their own blocks only.",
		"If ahead is not 0, it prefetches the lines of hashes[i+ahead], and there are n+ahead hashes.")
	blocks.Arguments(fn, 4)
	fn.Argument(shared.NEONAhead, "ahead")
	fn.MovI(neonNine, 9)
	half := shared.NEONScratch
	neonShape(fn, half)
	fn.FmovS(neonIndexBits, neonNumbers)
	o := ownHalf{fn}
	b := blocks.NewNEONBatch(fn, o, blocks.Powers)
	b.Begin, b.Next = o.begin, o.next
	b.Forms(half, 8, 16)
}

// ownHalf loads what the probes of a key's own block look at. Finding that takes long, so
// it is done a round ahead.
type ownHalf struct{ fn *neon.Function }

// Registers of the located keys of a round: the blocks, and what is multiplied. The next round's hashes are at
// neonNext; in the last one, they are the same again.
var neonLocated = [blocks.NEONRound][2]neon.X{{12, 13}, {14, 15}, {16, 17}, {19, 20}}

const neonNext, neonLast neon.X = 21, 22

// begin locates the first round's keys.
func (o ownHalf) begin() {
	o.fn.AddShifted(neonLast, shared.NEONHashes, shared.NEONLeft, 3)
	o.fn.SubI(neonLast, neonLast, shared.HashBytes*blocks.NEONRound)
	o.fn.AddI(neonNext, shared.NEONHashes, 0)
	for key := range neonLocated {
		o.locate(key)
	}
	o.fn.AddI(neonNext, shared.NEONHashes, shared.HashBytes*blocks.NEONRound)
}

// next moves on by a round, or stays at the last one.
func (o ownHalf) next() {
	o.fn.AddI(neonNext, neonNext, shared.HashBytes*blocks.NEONRound)
	o.fn.Cmp(neonNext, neonLast)
	o.fn.CselHS(neonNext, neonLast, neonNext)
}

func (o ownHalf) One(key int) blocks.Lane {
	o.load(key, blocks.NEONBlocks, blocks.NEONHash)
	return blocks.Lane{V: blocks.NEONHash}
}

func (o ownHalf) Two(first int) [2]blocks.Lane {
	o.load(first, blocks.NEONBlocks, blocks.NEONHash)
	o.load(first+1, blocks.NEONBlocks+4, blocks.NEONOthers)
	return [2]blocks.Lane{{V: blocks.NEONHash}, {V: blocks.NEONOthers}}
}

// locate shifts the hash by nine bits if the block is not the lower one of its pair.
// That shifts the products, too, whose top nine bits are used.
func (o ownHalf) locate(key int) {
	block, multiplied := neonLocated[key][0], neonLocated[key][1]
	blocks.NEONBlockNumber(o.fn, shared.NEONAt, neonNext, shared.HashBytes*key)
	own, shift := shared.NEONScratch, shared.NEONScratch
	o.fn.And(own, shared.NEONAt, neonNumbers)
	o.fn.AddShifted(block, shared.NEONBody, shared.NEONAt, 6)
	o.fn.LdrB(neonPair, block, 0)
	o.fn.And(neonPair, neonPair, neonNumbers)
	o.fn.Cmp(own, neonPair)
	o.fn.CselHS(shift, neonNine, neon.Zero)
	o.fn.LdrW(multiplied, neonNext, shared.HashBytes*key+4)
	o.fn.LslW(multiplied, multiplied, shift)
}

// load loads a key, and locates the next round's in its place.
func (o ownHalf) load(key int, to, hash neon.V) {
	block, multiplied := neonLocated[key][0], neonLocated[key][1]
	o.fn.FmovS(hash, multiplied)
	blocks.LoadBlock(o.fn, to, block)
	o.fn.OrrB16(to, to, neonIndexBits)
	o.locate(key)
}

// Registers of the second kernel.
const (
	neonKey, neonFound, neonWord, neonHalf neon.X = 12, 13, 14, 15

	neonOwn, neonOther             neon.X = 16, 17 // blocks
	neonOwnNumber, neonOtherNumber neon.X = 10, 11 // in their batch

	neonIndexed, neonSpread, neonLow neon.V = 26, 27, 28
)

// bothNEON emits the second kernel.
func bothNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "pairedContainsBothNEON", "func(k *Kernel, hashes *uint64, hits *uint64, n int, far bool)",
		"pairedContainsBothNEON clears the bits in n words of hits whose hashes do not pass in both blocks.",
		"If the body is far, the other blocks' lines are prefetched.")
	b := both{fn}
	blocks.Arguments(fn, 4)
	fn.ArgumentByte(shared.NEONAhead, "far")
	neonShape(fn, neonHalf)
	fn.LdrW(shared.NEONScratch, shared.NEONFilter, fn.Offset("pairedShape", "indexed"))
	fn.DupS4(neonIndexed, shared.NEONScratch)
	fn.LdrW(shared.NEONScratch, shared.NEONFilter, fn.Offset("pairedShape", "spread"))
	fn.DupS4(neonSpread, shared.NEONScratch)
	fn.MovI(shared.NEONScratch, 1<<23-1)
	fn.DupS4(neonLow, shared.NEONScratch)

	fn.Label("words")
	fn.Ldr(neonWord, shared.NEONHits, 0)
	fn.CmpI(shared.NEONAhead, 0)
	fn.Beq("near")
	b.each("prefetch", func() {
		b.pair()
		fn.PrefetchL1(neonOther, 0)
		fn.PrefetchL1(neonOther, shared.LineBytes-1)
	})
	fn.Label("near")
	fn.Ldr(neonWord, shared.NEONHits, 0)
	fn.MovI(neonFound, 0)
	b.each("test", func() {
		b.pair()
		b.test()
	})
	fn.Str(neonFound, shared.NEONHits, 0)
	fn.AddI(shared.NEONHits, shared.NEONHits, 8)
	fn.AddI(shared.NEONHashes, shared.NEONHashes, shared.HashBytes*shared.WordKeys)
	fn.SubsI(shared.NEONLeft, shared.NEONLeft, 1)
	fn.Bne("words")
	fn.Return()
}

// both tests both blocks of keys.
type both struct{ fn *neon.Function }

// each emits a loop over the set bits of the word, which it clears. Each bit's number is in
// neonAt, and its hash at neonKey.
func (b both) each(label string, body func()) {
	done := label + "Done"
	b.fn.CmpI(neonWord, 0)
	b.fn.Beq(done)
	b.fn.Label(label)
	b.fn.Rbit(shared.NEONAt, neonWord)
	b.fn.Clz(shared.NEONAt, shared.NEONAt)
	b.fn.SubI(shared.NEONScratch, neonWord, 1)
	b.fn.AddShifted(neonKey, shared.NEONHashes, shared.NEONAt, 3)
	b.fn.And(neonWord, neonWord, shared.NEONScratch)
	body()
	b.fn.CmpI(neonWord, 0)
	b.fn.Bne(label)
	b.fn.Label(done)
}

// pair finds both blocks of a key, and their numbers.
func (b both) pair() {
	number := neonOwnNumber
	blocks.NEONBlockNumber(b.fn, number, neonKey, 0)
	b.fn.AddShifted(neonOwn, shared.NEONBody, number, 6)
	b.fn.Bic(neonOther, number, neonNumbers)
	b.fn.And(number, number, neonNumbers)
	b.fn.LdrB(neonOtherNumber, neonOwn, 0)
	b.fn.And(neonOtherNumber, neonOtherNumber, neonNumbers)
	b.fn.Orr(neonOther, neonOther, neonOtherNumber)
	b.fn.AddShifted(neonOther, shared.NEONBody, neonOther, 6)
}

// test sets the key's bit in neonFound if all probes find theirs. The lower block is the
// key's own if its number is below the other's.
func (b both) test() {
	lower, higher := neonOwnNumber, neonOtherNumber // which are no longer wanted
	b.fn.Cmp(neonOwnNumber, neonOtherNumber)
	b.fn.CselHS(lower, neonOther, neonOwn)
	b.fn.CselHS(higher, neonOwn, neonOther)
	blocks.LoadBlock(b.fn, blocks.NEONBlocks, lower)
	blocks.LoadBlock(b.fn, blocks.NEONBlocks+4, higher)
	b.fn.LdrS(blocks.NEONHash, neonKey, 4)
	b.eight(blocks.NEONMultipliers, blocks.NEONAnswers)
	b.fn.CmpI(neonHalf, 8)
	b.fn.Bls("few")
	b.eight(blocks.NEONMultipliers+2, blocks.NEONAnswers+1)
	b.fn.AndB16(blocks.NEONAnswers, blocks.NEONAnswers, blocks.NEONAnswers+1)
	b.fn.Label("few")
	b.fn.UminpB16(blocks.NEONAnswers, blocks.NEONAnswers, blocks.NEONAnswers)
	all, bit := neonOwnNumber, neonOtherNumber
	b.fn.FmovFromD(all, blocks.NEONAnswers)
	b.fn.CmnI(all, 1)
	b.fn.CsetEQ(bit)
	b.fn.Lsl(bit, bit, shared.NEONAt)
	b.fn.Orr(neonFound, neonFound, bit)
}

// eight tests eight probes in each block.
func (b both) eight(multipliers, to neon.V) {
	for i := range neon.V(2) {
		lower, higher := blocks.NEONProducts+i, blocks.NEONProducts+2+i
		b.fn.MulByLaneS4(lower, multipliers+i, blocks.NEONHash, 0)
		rest, isIndex := blocks.NEONByteNumbers, blocks.NEONTests // as long as there are none
		b.fn.ShlS4(higher, lower, 9)
		b.fn.UshrS4(rest, lower, 9)
		b.spread(higher, rest, isIndex)
		b.fn.AndB16(rest, lower, neonLow)
		b.spread(lower, rest, isIndex)
	}
	blocks.TestTwo(b.fn, to)
}

// spread replaces products that look at a bit of the pair index: the rest of each, 23
// bits, is spread over the other bits.
func (b both) spread(products, rest, isIndex neon.V) {
	b.fn.CmhiS4(isIndex, neonIndexed, products)
	b.fn.MulByLaneS4(rest, rest, neonSpread, 0)
	b.fn.AddS4(rest, rest, neonIndexed)
	b.fn.BitB16(products, rest, isIndex)
}
