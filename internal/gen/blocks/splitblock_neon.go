package blocks

import (
	"github.com/simdbloom/simdbloom/internal/gen/kernel"
	"github.com/simdbloom/simdbloom/internal/gen/neon"
	"github.com/simdbloom/simdbloom/internal/gen/shared"
)

// Registers of the kernel for split blocks.
const (
	splitSaltsNEON neon.V = 21 // two
	splitOnesNEON  neon.V = 23 // 1 in every word
)

// SplitBlockNEON emits the batch kernel for arm64.
func SplitBlockNEON(f *kernel.File) {
	fn := neon.NewFunction(f, "splitBlockContainsBitsNEON", "func(k *Kernel, hashes *uint64, hits *uint64, n, ahead int)",
		"splitBlockContainsBitsNEON answers n hashes, a multiple of 16, a bit for each.",
		"If ahead is not 0, it prefetches the lines of hashes[i+ahead], and there are n+ahead hashes.")
	Arguments(fn, 0)
	fn.Argument(shared.NEONAhead, "ahead")
	fn.Constant(shared.NEONScratch, "salts", 0x44974d9147b6137b, 0xa2b7289d8824ad5b, 0x2df1424b705495c7, 0x5c6bfb319efc4947)
	fn.LdpQ(splitSaltsNEON, splitSaltsNEON+1, shared.NEONScratch, 0)
	fn.MoviB16(splitOnesNEON, 1)
	fn.UshrS4(splitOnesNEON, splitOnesNEON, 24)
	b := NEONBatch{fn: fn, blocks: neonSplitBlock}
	b.pairs = b.splitPair
	b.loop("keys", 8)
}

// neonSplitBlock finds the block of a NEONHash.
func neonSplitBlock(fn *neon.Function, to, base, hashes neon.X, offset int) {
	fn.LdrW(to, hashes, offset+shared.HashBytes/2)
	fn.Umull(to, to, shared.NEONSize)
	fn.LsrI(to, to, 32+5)
	fn.AddShifted(to, base, to, 5)
}

// splitPair tests the words of two keys' blocks: eight bytes for each key.
func (b NEONBatch) splitPair(first int, to neon.V) {
	b.fn.LdrQ(NEONHash, shared.NEONHashes, shared.HashBytes*first)
	for key := range 2 {
		blocks := NEONBlocks + 2*neon.V(key)
		neonSplitBlock(b.fn, shared.NEONAt, shared.NEONBody, shared.NEONHashes, shared.HashBytes*(first+key))
		b.fn.LdpQ(blocks, blocks+1, shared.NEONAt, 0)
		for half := range neon.V(2) {
			bits := NEONProducts + half
			b.fn.MulByLaneS4(bits, splitSaltsNEON+half, NEONHash, 2*key)
			b.fn.UshrS4(bits, bits, 27)
			b.fn.UshlS4(bits, splitOnesNEON, bits)
			b.fn.CmtstS4(blocks+half, blocks+half, bits)
		}
		b.fn.Uzp2H8(blocks, blocks, blocks+1) // a word's halves are alike
	}
	b.fn.Uzp2B16(to, NEONBlocks, NEONBlocks+2)
}
