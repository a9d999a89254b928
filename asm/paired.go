package asm

import (
	"fmt"
	"math/bits"

	"github.com/simdbloom/simdbloom/fallback"
)

// Paired is a paired filter to ask, as FastLocal is the other one.
type Paired struct { // the kernels know these fields and their order
	sets        [16]uint32 // the first eight multipliers, and those for the other set of probes
	body        []byte
	form        form
	numbers     uint32      // the bits of a block's index that number it in its batch
	offsets     uint32      // those of its offset
	indexed     uint32      // products below look at a bit of the pair index
	spread      uint32      // what spreads those over the other bits
	multipliers *[32]uint32 // of the probes of one block
	half        int         // how many those are
	batchBlocks int
	probes      int
}

// NewPaired returns the filter with the given body, whole batches of 32 or 128
// blocks, at least one, and probes, 2 to MaxProbes.
func NewPaired(body []byte, batchBlocks, probes int) Paired {
	checkPaired(body, batchBlocks, probes)
	half, numbers := probes/2, uint32(batchBlocks-1)
	indexBits := uint32(bits.OnesCount32(numbers))
	return Paired{
		sets: setsOf[half], body: body, form: formOf(half),
		numbers: numbers, offsets: numbers * BlockBytes,
		indexed: indexBits << (32 - 9), spread: 8*BlockBytes - indexBits,
		multipliers: &multipliers[half], half: half, batchBlocks: batchBlocks, probes: probes,
	}
}

// PairedContains is fallback.PairedContains. It wants what NewPaired does.
func PairedContains(body []byte, batchBlocks, probes int, hash uint64) bool {
	f := NewPaired(body, batchBlocks, probes)
	return f.Contains(hash)
}

// PairedContainsBatch is fallback.PairedContainsBatch. It wants what NewPaired
// does. hits has a bit for every hash, and no memory in common with the hashes;
// words beyond those are left alone.
func PairedContainsBatch(hits []uint64, body []byte, batchBlocks, probes int, hashes []uint64) {
	f := NewPaired(body, batchBlocks, probes)
	f.ContainsBatch(hits, hashes)
}

// PairedCount is fallback.PairedCount. It panics on a hash that belongs to none
// of the counted blocks.
func PairedCount(counts []uint16, from, blocks uint32, hashes []uint64) {
	if uint64(blocks) > MaxBodyBytes/BlockBytes || uint64(from)+uint64(len(counts)) > uint64(blocks) {
		panic(fmt.Sprintf("asm: %d counts from block %d on of %d", len(counts), from, blocks))
	}
	fallback.PairedCount(counts, from, blocks, count(counts, from, blocks, hashes))
}

// PairedSetPairs is fallback.PairedSetPairs. There is a count for every block.
func PairedSetPairs(body []byte, batchBlocks int, counts []uint16) {
	checkBatches(body, batchBlocks)
	if len(counts) != len(body)/BlockBytes {
		panic(fmt.Sprintf("asm: %d counts for %d blocks", len(counts), len(body)/BlockBytes))
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
	panic(fmt.Sprintf("asm: batches of %d blocks, not 32 or 128", blocks))
}
