package main

import (
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
)

// Registers of the kernel for split blocks.
const (
	splitSaltsNEON neon.V = 21 // two
	splitOnesNEON  neon.V = 23 // 1 in every word
)

func splitBlockNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "splitBlockContainsBitsNEON", "func(k *Kernel, hashes *uint64, hits *uint64, n, ahead int)",
		"splitBlockContainsBitsNEON answers n hashes, a multiple of 16, a bit for each.",
		"If ahead is not 0, it prefetches the lines of hashes[i+ahead], and there are n+ahead hashes.")
	arguments(fn, 0)
	fn.Argument(neonAhead, "ahead")
	fn.Constant(neonScratch, "salts", 0x44974d9147b6137b, 0xa2b7289d8824ad5b, 0x2df1424b705495c7, 0x5c6bfb319efc4947)
	fn.LdpQ(splitSaltsNEON, splitSaltsNEON+1, neonScratch, 0)
	fn.MoviB16(splitOnesNEON, 1)
	fn.UshrS4(splitOnesNEON, splitOnesNEON, 24)
	b := neonBatch{fn: fn, blocks: neonSplitBlock}
	b.pairs = b.splitPair
	b.loop("keys", 8)
}

// neonSplitBlock finds the block of a hash.
func neonSplitBlock(fn *neon.Function, to, hashes neon.X, offset int) {
	fn.LdrW(to, hashes, offset+hashBytes/2)
	fn.Umull(to, to, neonSize)
	fn.LsrI(to, to, 32+5)
	fn.AddShifted(to, neonBody, to, 5)
}

// splitPair tests the words of two keys' blocks: eight bytes for each key.
func (b neonBatch) splitPair(first int, to neon.V) {
	b.fn.LdrQ(hash, neonHashes, hashBytes*first)
	for key := range 2 {
		blocks := neonBlocks + 2*neon.V(key)
		neonSplitBlock(b.fn, neonAt, neonHashes, hashBytes*(first+key))
		b.fn.LdpQ(blocks, blocks+1, neonAt, 0)
		for half := range neon.V(2) {
			bits := products + half
			b.fn.MulByLaneS4(bits, splitSaltsNEON+half, hash, 2*key)
			b.fn.UshrS4(bits, bits, 27)
			b.fn.UshlS4(bits, splitOnesNEON, bits)
			b.fn.CmtstS4(blocks+half, blocks+half, bits)
		}
		b.fn.Uzp2H8(blocks, blocks, blocks+1) // a word's halves are alike
	}
	b.fn.Uzp2B16(to, neonBlocks, neonBlocks+2)
}
