package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
)

// The kernels for arm64. A block fills four vectors, in which TBL finds a byte for each
// of a key's probes; those of two keys, or 16 of one, are tested at once, and the
// answers of 16 keys become one vector.
//
// One key at a time stays plain Go: its products, the byte's number, the byte, and the
// test wait for each other, and then a vector for a general register, which takes longer
// than six probes do beside each other.

const (
	neonKeys  = 16                   // that are answered together
	neonBytes = hashBytes * neonKeys // of their hashes
)

// Registers of the kernels for arm64.
const (
	neonHits, neonHashes, neonLeft, neonBody, neonSize, neonAhead neon.X = 1, 2, 3, 4, 5, 6
	neonAt                                                        neon.X = 7
	neonFilter, neonScratch                                       neon.X = 0, 10

	neonBlocks      neon.V = 0  // two of four
	neonAnswers     neon.V = 16 // of fewer and fewer keys: five
	neonMultipliers neon.V = 21 // eight
	neonBits        neon.V = 29 // the bits of 16 answers, in two bytes
	neonOnes        neon.V = 30 // 1<<i in byte i, for i of three bits
	neonSeven       neon.V = 31
)

// Registers of a step.
const (
	hash               neon.V = 8
	products           neon.V = 9 // four
	byteNumbers, tests neon.V = 13, 14
	others             neon.V = 15
)

// neonBatch is a kernel that answers keys of a FastLocal filter.
type neonBatch struct{ *neon.Function }

func fastLocalNEON(f *kernel.File) {
	fastLocalBatchNEON(f)
	prefetchLinesNEON(f)
}

// fastLocalBatchNEON emits the batch kernel for arm64.
func fastLocalBatchNEON(f *kernel.File) {
	b := neonBatch{neon.NewFunction(f, batchName("NEON", false), "func(f *FastLocal, hits *uint64, hashes *uint64, n, ahead int)",
		batchName("NEON", false)+" answers n hashes, a multiple of 16, in as many bits.",
		"Lines are prefetched so many hashes ahead, which must be there behind the n, unless ahead is 0.")}
	b.Argument(neonFilter, "f")
	b.Argument(neonHits, "hits")
	b.Argument(neonHashes, "hashes")
	b.Argument(neonLeft, "n")
	b.Argument(neonAhead, "ahead")
	b.Field(neonBody, neonFilter, "FastLocal", "body", 0)
	b.Field(neonSize, neonFilter, "FastLocal", "body", 8)
	b.Field(neonScratch, neonFilter, "FastLocal", "multipliers", 0)
	for i := range neon.V(8) {
		b.LdrQ(neonMultipliers+i, neonScratch, 16*int(i))
	}
	b.constants()

	probes := neonScratch
	b.Field(probes, neonFilter, "FastLocal", "probes", 0)
	for _, most := range []int{8, 16, 32} {
		next := fmt.Sprint("moreThan", most)
		if most < 32 {
			b.CmpI(probes, most)
			b.Bhi(next)
		}
		b.loop(fmt.Sprint("upTo", most), most)
		b.Label(next)
	}
}

// constants loads what all forms need.
func (b neonBatch) constants() {
	const ones, bits = 0x8040201008040201, 0x8040201008040201
	b.Constant(neonAt, "ones", ones, ones)
	b.LdrQ(neonOnes, neonAt, 0)
	b.LdrQ(neonBits, neonAt, 0)
	b.MoviB16(neonSeven, 7)
}

// loop emits the loop for at most so many probes, and the return.
func (b neonBatch) loop(label string, probes int) {
	b.Label(label)
	b.CmpI(neonAhead, 0)
	b.Beq(label + "Near")
	b.prefetch(0)
	b.TstI(neonBody, lineBytes-1)
	b.Beq(label + "Near")
	b.prefetch(lineBytes - 1) // every block lies across two lines
	b.Label(label + "Near")
	b.keys(probes, 0, neonKeys, neonAnswers)
	b.bits(neonAnswers)
	b.AddI(neonHashes, neonHashes, neonBytes)
	b.SubsI(neonLeft, neonLeft, neonKeys)
	b.Bne(label)
	b.Return()
}

// prefetch asks for the lines in which so many bytes of the blocks of 16 keys end.
func (b neonBatch) prefetch(offset int) {
	b.AddShifted(neonScratch, neonHashes, neonAhead, 3)
	for key := range neonKeys {
		b.block(neonAt, neonScratch, hashBytes*key)
		b.PrefetchL1(neonAt, offset)
	}
}

// block finds the block of a hash.
func (b neonBatch) block(to, hashes neon.X, offset int) {
	b.LdrW(to, hashes, offset)
	b.Umull(to, to, neonSize)
	b.LsrI(to, to, 38)
	b.AddShifted(to, neonBody, to, 6)
}

// bits stores the answers of 16 keys.
func (b neonBatch) bits(answers neon.V) {
	b.AndB16(answers, answers, neonBits)
	for range 3 {
		b.AddpB16(answers, answers, answers)
	}
	b.St1H(answers, 0, neonHits)
}

// keys answers some of the 16 keys: of each, equally many bytes are all ones, if all of
// its probes found their bits.
func (b neonBatch) keys(probes, first, n int, to neon.V) {
	switch {
	case n == 2 && probes <= 8:
		b.pair(first, to)
	case n == 1 && probes <= 16:
		b.sixteen(first, to)
	case n == 1:
		b.sixteen(first, to)
		b.found(neonBlocks, neonMultipliers+4, others)
		b.AndB16(to, to, others)
	default:
		b.keys(probes, first, n/2, to)
		b.keys(probes, first+n/2, n/2, to+1)
		b.UminpB16(to, to, to+1)
	}
}

// pair tests eight probes of two keys.
func (b neonBatch) pair(first int, to neon.V) {
	offset := hashBytes * first
	b.LdrQ(hash, neonHashes, offset)
	for key := range 2 {
		b.load(neonBlocks+4*neon.V(key), offset+hashBytes*key)
		for i := range neon.V(2) {
			b.MulByLaneS4(products+2*neon.V(key)+i, neonMultipliers+i, hash, 2*key+1)
		}
	}
	b.positions()
	b.Tbl4B16(to, neonBlocks, byteNumbers)
	b.Tbl4B16(others, neonBlocks+4, byteNumbers)
	b.InsD(to, 1, others, 1)
	b.CmtstB16(to, to, tests)
}

// sixteen tests 16 probes of a key, whose block and hash stay where they are.
func (b neonBatch) sixteen(key int, to neon.V) {
	b.LdrS(hash, neonHashes, hashBytes*key+4)
	b.load(neonBlocks, hashBytes*key)
	b.found(neonBlocks, neonMultipliers, to)
}

// found tests the probes of four vectors of multipliers.
func (b neonBatch) found(block, multipliers, to neon.V) {
	for i := range neon.V(4) {
		b.MulByLaneS4(products+i, multipliers+i, hash, 0)
	}
	b.positions()
	b.Tbl4B16(to, block, byteNumbers)
	b.CmtstB16(to, to, tests)
}

// positions makes 16 products the numbers of bytes, which are their top six bits, and
// what there is to find in them, which the next three say.
func (b neonBatch) positions() {
	low, high := products, products+2
	b.Uzp2H8(low, products, products+1)
	b.Uzp2H8(high, products+2, products+3)
	b.Uzp2B16(byteNumbers, low, high)
	b.UshrB16(byteNumbers, byteNumbers, 2)
	b.ShrnB8(tests, low, 7)
	b.Shrn2B16(tests, high, 7)
	b.AndB16(tests, tests, neonSeven)
	b.TblB16(tests, neonOnes, tests)
}

// load loads the block of a hash.
func (b neonBatch) load(to neon.V, offset int) {
	b.block(neonAt, neonHashes, offset)
	b.LdpQ(to, to+1, neonAt, 0)
	b.LdpQ(to+2, to+3, neonAt, lineBytes/2)
}

// prefetchLinesNEON emits what a batch begins with whose lines are far away.
func prefetchLinesNEON(f *kernel.File) {
	b := neonBatch{neon.NewFunction(f, "prefetchLines", "func(body *byte, size uint64, hashes *uint64, n int)",
		"prefetchLines asks for the lines of n hashes, at least one.")}
	b.Argument(neonBody, "body")
	b.Argument(neonSize, "size")
	b.Argument(neonHashes, "hashes")
	b.Argument(neonLeft, "n")
	b.Label("next")
	b.block(neonAt, neonHashes, 0)
	b.PrefetchL1(neonAt, 0)
	b.PrefetchL1(neonAt, lineBytes-1)
	b.AddI(neonHashes, neonHashes, hashBytes)
	b.SubsI(neonLeft, neonLeft, 1)
	b.Bne("next")
	b.Return()
}
