package asm

import (
	"fmt"
	"math/bits"

	"github.com/simdbloom/simdbloom/fallback"
)

// Paired is a paired filter prepared for queries, as [FastLocal] is for its format. It is
// immutable.
type Paired struct { // internal/gen reads this declaration: kernels load these fields
	body        []byte
	batchBlocks int
	probes      int
	level       int // of package cpu
	form        form
	tested      uint32      // a bit for each probe of a block, up to eight, twice
	numbers     uint32      // the bits of a block's index that number it in its batch
	offsets     uint32      // those of its offset, in bytes
	indexed     uint32      // products below look at a bit of the pair index
	spread      uint32      // what spreads those over the other bits
	multipliers *[32]uint32 // for the probes of one block
	half        int         // the number of those
}

// NewPaired returns the filter with the given body, whole batches of 32 or 128
// blocks, at least one, and the number of probes, 2 to MaxProbes.
func NewPaired(body []byte, batchBlocks, probes int) Paired {
	checkPaired(body, batchBlocks, probes)
	half, numbers := probes/2, uint32(batchBlocks-1)
	indexBits := uint32(bits.OnesCount32(numbers))
	return Paired{
		body: body, batchBlocks: batchBlocks, probes: probes, level: int(level()), form: formOf(half),
		tested:  0x0101 * (1<<min(uint(half), 8) - 1),
		numbers: numbers, offsets: numbers * BlockBytes,
		indexed: indexBits << (32 - 9), spread: 8*BlockBytes - indexBits,
		multipliers: &multipliers[half], half: half,
	}
}

// PairedCount is fallback.PairedCount. It panics on a hash that belongs to none
// of the counted blocks.
func PairedCount(counts []uint16, from, blocks uint32, hashes []uint64) {
	if uint64(blocks) > MaxBodyBytes/BlockBytes || uint64(from)+uint64(len(counts)) > uint64(blocks) {
		panic(fmt.Sprintf("asm: %d counts from block %d on do not fit %d blocks", len(counts), from, blocks))
	}
	fallback.PairedCount(counts, from, blocks, count(counts, from, blocks, hashes))
}

// PairedSetPairs is fallback.PairedSetPairs. There is a count for every block.
func PairedSetPairs(body []byte, batchBlocks int, counts []uint16) {
	checkBatches(body, batchBlocks)
	if len(counts) != len(body)/BlockBytes {
		panic(fmt.Sprintf("asm: len(counts) is %d, but there are %d blocks", len(counts), len(body)/BlockBytes))
	}
	fallback.PairedSetPairs(body, batchBlocks, counts)
}

func checkPaired(body []byte, batchBlocks, probes int) {
	checkBatches(body, batchBlocks)
	checkProbes(probes, 2)
}

func checkBatches(body []byte, batchBlocks int) {
	if batchBlocks != 32 && batchBlocks != 128 {
		panicBatch(batchBlocks)
	}
	checkBody(body, batchBlocks*BlockBytes)
}

//go:noinline
func panicBatch(blocks int) {
	panic(fmt.Sprintf("asm: batches must have 32 or 128 blocks, not %d", blocks))
}
