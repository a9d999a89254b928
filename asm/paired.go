package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/fallback"
)

// Paired is a paired filter to ask, as FastLocal is the other one.
type Paired struct {
	body        []byte
	form        form
	multipliers *[32]uint32 // of the probes of one block
	batchBlocks int
	probes      int
}

// NewPaired returns the filter with the given body, whole batches of 32 or 128
// blocks, at least one, and probes, 2 to MaxProbes.
func NewPaired(body []byte, batchBlocks, probes int) Paired {
	checkPaired(body, batchBlocks, probes)
	half := probes / 2
	return Paired{body: body, form: formOf(half), multipliers: &multipliers[half], batchBlocks: batchBlocks, probes: probes}
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
	fallback.PairedCount(counts, from, blocks, hashes)
}

// PairedSetPairs is fallback.PairedSetPairs. There is a count for every block.
func PairedSetPairs(body []byte, batchBlocks int, counts []uint16) {
	checkBatches(body, batchBlocks)
	if len(counts) != len(body)/BlockBytes {
		panic(fmt.Sprintf("asm: %d counts for %d blocks", len(counts), len(body)/BlockBytes))
	}
	fallback.PairedSetPairs(body, batchBlocks, counts)
}

// PairedAdd is fallback.PairedAdd.
func PairedAdd(body []byte, batchBlocks, probes int, hashes []uint64) {
	checkPaired(body, batchBlocks, probes)
	fallback.PairedAdd(body, batchBlocks, probes, hashes)
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
