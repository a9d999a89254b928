package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/gen/neon"
)

// The kernels for arm64. A block fills four vectors, in which TBL finds a byte for each of
// a key's probes. Eight probes of two keys, or 16 of one, are tested at once, and the
// answers of 16 keys become one vector. (asm/fastlocal_arm64.go says why only lookups have
// kernels.)

const (
	neonKeys  = 16                   // that are answered together
	neonBytes = hashBytes * neonKeys // of their hashes
)

// Registers of the kernels for arm64.
const (
	neonFilter, neonHits, neonHashes, neonLeft, neonBody, neonSize, neonAhead neon.X = 0, 1, 2, 3, 4, 5, 6

	neonAt, neonScratch neon.X = 7, 8 // for a step

	neonBlocks      neon.V = 0  // two of four
	neonAnswers     neon.V = 16 // of fewer and fewer keys: five
	neonMultipliers neon.V = 21 // four, or eight
	neonFirst       neon.V = 29 // what is added to products
	neonOnes        neon.V = 30 // 1<<i%8 in byte i
	neonSeven       neon.V = 31
)

// Vectors for a step.
const (
	hash               neon.V = 8
	products           neon.V = 9 // four
	byteNumbers, tests neon.V = 13, 14
	others             neon.V = 15
)

// neonBatch is a kernel that looks keys up, 16 at a time.
type neonBatch struct {
	fn *neon.Function
	loader
	progression
	blocks func(fn *neon.Function, to, hashes neon.X, offset int) // finds a hash's block
	pairs  func(first int, to neon.V)                             // tests eight probes of two keys
}

// newNEONBatch returns the kernel for blocks of 64 bytes.
func newNEONBatch(fn *neon.Function, l loader, p progression) neonBatch {
	b := neonBatch{fn: fn, loader: l, progression: p, blocks: neonBlock}
	b.pairs = b.pair
	return b
}

// loader loads blocks and multiplied hashes of keys.
type loader interface {
	// one loads the block of a key, and what is multiplied.
	one(key int) lane
	// two does so for two keys; the second one's block is in the second four vectors.
	two(first int) [2]lane
}

// lane is a lane of 32 bits.
type lane struct {
	neon.V
	number int
}

// arguments loads those that batches share.
func arguments(b *neon.Function, multipliers int) {
	b.Argument(neonFilter, "k")
	b.Argument(neonHits, "hits")
	b.Argument(neonHashes, "hashes")
	b.Argument(neonLeft, "n")
	b.Field(neonBody, neonFilter, "Kernel", "body", 0)
	b.Field(neonSize, neonFilter, "Kernel", "body", 8)
	b.Field(neonScratch, neonFilter, "Kernel", "multipliers", 0)
	for i := range multipliers {
		b.LdrQ(neonMultipliers+neon.V(i), neonScratch, 16*i)
	}
	const ones = 0x8040201008040201
	b.Constant(neonScratch, "ones", ones, ones)
	b.LdrQ(neonOnes, neonScratch, 0)
	b.MoviB16(neonSeven, 7)
}

// forms emits the code for each number of probes.
func (b neonBatch) forms(probes neon.X, most ...int) {
	for i, form := range most {
		next := fmt.Sprint("moreThan", form)
		if i+1 < len(most) {
			b.fn.CmpI(probes, form)
			b.fn.Bhi(next)
		}
		b.loop(fmt.Sprint("upTo", form), form)
		b.fn.Label(next)
	}
}

// loop emits the loop for at most the given number of probes, and the return.
func (b neonBatch) loop(label string, probes int) {
	b.fn.Label(label)
	neonPrefetch(b.fn, label, neonKeys, b.blocks)
	b.keys(probes, 0, neonKeys, neonAnswers)
	b.bits(neonAnswers)
	b.fn.AddI(neonHashes, neonHashes, neonBytes)
	b.fn.SubsI(neonLeft, neonLeft, neonKeys)
	b.fn.Bne(label)
	b.fn.Return()
}

// neonPrefetch prefetches the blocks of keys that are ahead, if any are.
func neonPrefetch(fn *neon.Function, label string, keys int, block func(fn *neon.Function, to, hashes neon.X, offset int)) {
	near := label + "Near"
	prefetch := func(offset int) {
		fn.AddShifted(neonScratch, neonHashes, neonAhead, 3)
		for key := range keys {
			block(fn, neonAt, neonScratch, hashBytes*key)
			fn.PrefetchL1(neonAt, offset)
		}
	}
	fn.CmpI(neonAhead, 0)
	fn.Beq(near)
	prefetch(0)
	fn.TstI(neonBody, lineBytes-1)
	fn.Beq(near)
	prefetch(lineBytes - 1) // every block lies across two lines
	fn.Label(near)
}

// neonBlock finds the block of a hash.
func neonBlock(fn *neon.Function, to, hashes neon.X, offset int) {
	neonBlockNumber(fn, to, hashes, offset)
	fn.AddShifted(to, neonBody, to, 6)
}

func neonBlockNumber(fn *neon.Function, to, hashes neon.X, offset int) {
	fn.LdrW(to, hashes, offset)
	fn.Umull(to, to, neonSize)
	fn.LsrI(to, to, 32+6)
}

// loadBlock loads a block.
func loadBlock(fn *neon.Function, to neon.V, at neon.X) {
	fn.LdpQ(to, to+1, at, 0)
	fn.LdpQ(to+2, to+3, at, lineBytes/2)
}

// bits stores the answers of 16 keys.
func (b neonBatch) bits(answers neon.V) {
	b.fn.AndB16(answers, answers, neonOnes)
	for range 3 {
		b.fn.AddpB16(answers, answers, answers)
	}
	b.fn.St1H(answers, 0, neonHits)
}

// keys answers some of the 16 keys: each has the same number of bytes, all ones if all of
// its probes found their bits.
func (b neonBatch) keys(probes, first, n int, to neon.V) {
	switch {
	case n == 2 && probes <= 8:
		b.pairs(first, to)
	case n == 1:
		b.single(probes, first, to)
	default:
		b.keys(probes, first, n/2, to)
		b.keys(probes, first+n/2, n/2, to+1)
		b.fn.UminpB16(to, to, to+1)
	}
}

// pair tests eight probes of two keys.
func (b neonBatch) pair(first int, to neon.V) {
	lanes := b.two(first)
	b.begin()
	for key, l := range lanes {
		for i := range neon.V(2) {
			b.product(products+2*neon.V(key)+i, neonMultipliers+i, l)
		}
	}
	testTwo(b.fn, to)
}

// begin replaces hashes by what is multiplied, and has what is added in another vector. That is in the same
// lanes, or, if probes are cubic, in the lanes of high halves, and what is multiplied in those of low halves.
func (b neonBatch) begin() {
	switch b.progression {
	case steps:
		b.fn.ShlS4(neonFirst, hash, 32-positionBits)
		b.fn.UshrS4(hash, hash, deltaAt)
	case cubic:
		b.fn.ShlS4(neonFirst, hash, 32-positionBits)
		b.fn.ShlS4(hash, hash, positionBits)
		b.fn.MoviB16(others, 1)
		b.fn.UshrS4(others, others, 24)
		b.fn.OrrB16(hash, hash, others)
	}
}

// product multiplies, and adds.
func (b neonBatch) product(to, multipliers neon.V, l lane) {
	if b.progression == powers {
		b.fn.MulByLaneS4(to, multipliers, l.V, l.number)
		return
	}
	b.fn.DupLaneS4(to, neonFirst, l.number)
	if b.progression == cubic {
		l.number--
	}
	b.fn.MlaByLaneS4(to, multipliers, l.V, l.number)
}

// testTwo tests eight products in each of two blocks.
func testTwo(fn *neon.Function, to neon.V) {
	positions(fn)
	fn.Tbl4B16(to, neonBlocks, byteNumbers)
	fn.Tbl4B16(others, neonBlocks+4, byteNumbers)
	fn.InsD(to, 1, others, 1)
	fn.CmtstB16(to, to, tests)
}

// single tests 16 probes of a key, or 32.
func (b neonBatch) single(probes, key int, to neon.V) {
	l := b.one(key)
	b.begin()
	b.sixteen(l, neonMultipliers, to)
	if probes > 16 {
		b.sixteen(l, neonMultipliers+4, others)
		b.fn.AndB16(to, to, others)
	}
}

// sixteen tests 16 probes in a block.
func (b neonBatch) sixteen(l lane, multipliers, to neon.V) {
	for i := range neon.V(4) {
		b.product(products+i, multipliers+i, l)
	}
	positions(b.fn)
	b.fn.Tbl4B16(to, neonBlocks, byteNumbers)
	b.fn.CmtstB16(to, to, tests)
}

// positions turns 16 products into the numbers of bytes, their top six bits, and the bits
// to find there, which the next three bits say.
func positions(fn *neon.Function) {
	low, high := products, products+2
	fn.Uzp2H8(low, products, products+1)
	fn.Uzp2H8(high, products+2, products+3)
	fn.Uzp2B16(byteNumbers, low, high)
	fn.UshrB16(byteNumbers, byteNumbers, 2)
	fn.ShrnB8(tests, low, 7)
	fn.Shrn2B16(tests, high, 7)
	fn.AndB16(tests, tests, neonSeven)
	fn.TblB16(tests, neonOnes, tests)
}
