package main

import (
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
)

// Two kernels look up a batch of keys in a paired filter. The first tests each key's own
// block only, as if all bits of the pair index were set: few absent keys pass. The second
// tests both blocks of those that passed, key by key, including the probes that fall on
// index bits.

func pairedNEON(f *kernel.File) {
	pairedOwnNEON(f)
	pairedBothNEON(f)
}

// neonNumbers has the bits of a block's index that number it in its batch.
const neonNumbers neon.X = 9

// Registers of the first kernel.
const (
	neonNine, neonPair neon.X = 10, 11 // the pair's number

	neonIndexBits neon.V = 25 // of a block's first vector
)

func neonLoadNumbers(fn *neon.Function) {
	fn.LdrW(neonNumbers, neonFilter, fn.Offset("Kernel", "numbers"))
}

// pairedOwnNEON emits the first kernel.
func pairedOwnNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "pairedContainsOwnNEON", "func(k *Kernel, hashes *uint64, hits *uint64, n, ahead int)",
		"pairedContainsOwnNEON answers n hashes, a multiple of 16, a bit for each, by their own blocks only.",
		"If ahead is not 0, it prefetches the lines of hashes[i+ahead], and there are n+ahead hashes.")
	arguments(fn, 4)
	fn.Argument(neonAhead, "ahead")
	neonLoadNumbers(fn)
	fn.FmovS(neonIndexBits, neonNumbers)
	fn.MovI(neonNine, 9)
	half := neonScratch
	fn.Field(half, neonFilter, "Kernel", "blockProbes", 0)
	newNEONBatch(fn, ownHalf{fn}, powers).forms(half, 8, 16)
}

// ownHalf loads what the probes of a key's own block look at. Finding that takes long, so
// it is done some keys ahead.
type ownHalf struct{ fn *neon.Function }

// Registers of located keys: the blocks, and what is multiplied.
var neonLocated = [...][2]neon.X{{12, 13}, {14, 15}, {16, 17}, {19, 20}, {21, 22}, {23, 24}}

func (o ownHalf) one(key int) lane {
	o.locate(key, 1)
	o.load(key, neonBlocks, hash)
	return lane{hash, 0}
}

func (o ownHalf) two(first int) [2]lane {
	o.locate(first, 2)
	o.load(first, neonBlocks, hash)
	o.load(first+1, neonBlocks+4, others)
	return [2]lane{{hash, 0}, {others, 0}}
}

// locate finds the blocks of keys some way ahead, and, at the first key, of all up to there.
func (o ownHalf) locate(first, keys int) {
	ahead := len(neonLocated) - keys
	from := first + ahead
	if first == 0 {
		from = 0
	}
	for key := from; key < min(first+ahead+keys, neonKeys); key++ {
		o.locateKey(key)
	}
}

// locateKey shifts the hash by nine bits if the block is not the lower one of its pair.
// That shifts the products, too, whose top nine bits are used.
func (o ownHalf) locateKey(key int) {
	block, multiplied := neonLocated[key%len(neonLocated)][0], neonLocated[key%len(neonLocated)][1]
	neonBlockNumber(o.fn, neonAt, neonHashes, hashBytes*key)
	own, shift := neonScratch, neonScratch
	o.fn.And(own, neonAt, neonNumbers)
	o.fn.AddShifted(block, neonBody, neonAt, 6)
	o.fn.LdrB(neonPair, block, 0)
	o.fn.And(neonPair, neonPair, neonNumbers)
	o.fn.Cmp(own, neonPair)
	o.fn.CselHS(shift, neonNine, neon.Zero)
	o.fn.LdrW(multiplied, neonHashes, hashBytes*key+4)
	o.fn.LslW(multiplied, multiplied, shift)
}

func (o ownHalf) load(key int, to, hash neon.V) {
	block, multiplied := neonLocated[key%len(neonLocated)][0], neonLocated[key%len(neonLocated)][1]
	o.fn.FmovS(hash, multiplied)
	loadBlock(o.fn, to, block)
	o.fn.OrrB16(to, to, neonIndexBits)
}

// Registers of the second kernel.
const (
	neonKey, neonFound, neonWord, neonHalf neon.X = 12, 13, 14, 15

	neonOwn, neonOther             neon.X = 16, 17 // blocks
	neonOwnNumber, neonOtherNumber neon.X = 10, 11 // in their batch

	neonIndexed, neonSpread, neonLow neon.V = 26, 27, 28
)

// pairedBothNEON emits the second kernel.
func pairedBothNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "pairedContainsBothNEON", "func(k *Kernel, hashes *uint64, hits *uint64, n int, far bool)",
		"pairedContainsBothNEON clears the bits in n words of hits whose hashes do not pass in both blocks.",
		"If the body is far, the other blocks' lines are prefetched.")
	b := pairedBoth{fn}
	arguments(fn, 4)
	fn.ArgumentByte(neonAhead, "far")
	neonLoadNumbers(fn)
	fn.LdrW(neonScratch, neonFilter, fn.Offset("Kernel", "indexed"))
	fn.DupS4(neonIndexed, neonScratch)
	fn.LdrW(neonScratch, neonFilter, fn.Offset("Kernel", "spread"))
	fn.DupS4(neonSpread, neonScratch)
	fn.MovI(neonScratch, 1<<23-1)
	fn.DupS4(neonLow, neonScratch)
	fn.Field(neonHalf, neonFilter, "Kernel", "blockProbes", 0)

	fn.Label("words")
	fn.Ldr(neonWord, neonHits, 0)
	fn.CmpI(neonAhead, 0)
	fn.Beq("near")
	b.each("prefetch", func() {
		b.pair()
		fn.PrefetchL1(neonOther, 0)
		fn.PrefetchL1(neonOther, lineBytes-1)
	})
	fn.Label("near")
	fn.Ldr(neonWord, neonHits, 0)
	fn.MovI(neonFound, 0)
	b.each("test", func() {
		b.pair()
		b.test()
	})
	fn.Str(neonFound, neonHits, 0)
	fn.AddI(neonHits, neonHits, 8)
	fn.AddI(neonHashes, neonHashes, hashBytes*wordKeys)
	fn.SubsI(neonLeft, neonLeft, 1)
	fn.Bne("words")
	fn.Return()
}

// pairedBoth tests both blocks of keys.
type pairedBoth struct{ fn *neon.Function }

// each emits a loop over the set bits of the word, which it clears. Each bit's number is in
// neonAt, and its hash at neonKey.
func (b pairedBoth) each(label string, body func()) {
	done := label + "Done"
	b.fn.CmpI(neonWord, 0)
	b.fn.Beq(done)
	b.fn.Label(label)
	b.fn.Rbit(neonAt, neonWord)
	b.fn.Clz(neonAt, neonAt)
	b.fn.SubI(neonScratch, neonWord, 1)
	b.fn.AddShifted(neonKey, neonHashes, neonAt, 3)
	b.fn.And(neonWord, neonWord, neonScratch)
	body()
	b.fn.CmpI(neonWord, 0)
	b.fn.Bne(label)
	b.fn.Label(done)
}

// pair finds both blocks of a key, and their numbers.
func (b pairedBoth) pair() {
	number := neonOwnNumber
	neonBlockNumber(b.fn, number, neonKey, 0)
	b.fn.AddShifted(neonOwn, neonBody, number, 6)
	b.fn.Bic(neonOther, number, neonNumbers)
	b.fn.And(number, number, neonNumbers)
	b.fn.LdrB(neonOtherNumber, neonOwn, 0)
	b.fn.And(neonOtherNumber, neonOtherNumber, neonNumbers)
	b.fn.Orr(neonOther, neonOther, neonOtherNumber)
	b.fn.AddShifted(neonOther, neonBody, neonOther, 6)
}

// test sets the key's bit in neonFound if all probes find theirs. The lower block is the
// key's own if its number is below the other's.
func (b pairedBoth) test() {
	lower, higher := neonOwnNumber, neonOtherNumber // which are no longer wanted
	b.fn.Cmp(neonOwnNumber, neonOtherNumber)
	b.fn.CselHS(lower, neonOther, neonOwn)
	b.fn.CselHS(higher, neonOwn, neonOther)
	loadBlock(b.fn, neonBlocks, lower)
	loadBlock(b.fn, neonBlocks+4, higher)
	b.fn.LdrS(hash, neonKey, 4)
	b.eight(neonMultipliers, neonAnswers)
	b.fn.CmpI(neonHalf, 8)
	b.fn.Bls("few")
	b.eight(neonMultipliers+2, neonAnswers+1)
	b.fn.AndB16(neonAnswers, neonAnswers, neonAnswers+1)
	b.fn.Label("few")
	b.fn.UminpB16(neonAnswers, neonAnswers, neonAnswers)
	all, bit := neonOwnNumber, neonOtherNumber
	b.fn.FmovFromD(all, neonAnswers)
	b.fn.CmnI(all, 1)
	b.fn.CsetEQ(bit)
	b.fn.Lsl(bit, bit, neonAt)
	b.fn.Orr(neonFound, neonFound, bit)
}

// eight tests eight probes in each block.
func (b pairedBoth) eight(multipliers, to neon.V) {
	for i := range neon.V(2) {
		lower, higher := products+i, products+2+i
		b.fn.MulByLaneS4(lower, multipliers+i, hash, 0)
		rest, isIndex := byteNumbers, tests // as long as there are none
		b.fn.ShlS4(higher, lower, 9)
		b.fn.UshrS4(rest, lower, 9)
		b.spread(higher, rest, isIndex)
		b.fn.AndB16(rest, lower, neonLow)
		b.spread(lower, rest, isIndex)
	}
	testTwo(b.fn, to)
}

// spread replaces products that look at a bit of the pair index: the rest of each, 23
// bits, is spread over the other bits.
func (b pairedBoth) spread(products, rest, isIndex neon.V) {
	b.fn.CmhiS4(isIndex, neonIndexed, products)
	b.fn.MulByLaneS4(rest, rest, neonSpread, 0)
	b.fn.AddS4(rest, rest, neonIndexed)
	b.fn.BitB16(products, rest, isIndex)
}
