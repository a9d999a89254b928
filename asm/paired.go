package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/fallback"
)

// PairedContains is fallback.PairedContains. Batches are of 32 or 128 blocks,
// the body is whole batches, at least one; probes are 2 to MaxProbes.
func PairedContains(body []byte, batchBlocks, probes int, hash uint64) bool {
	checkPaired(body, batchBlocks, probes)
	return fallback.PairedContains(body, batchBlocks, probes, hash)
}

// PairedContainsBatch is fallback.PairedContainsBatch. hits has a bit for every
// hash; words beyond those are left alone.
func PairedContainsBatch(hits []uint64, body []byte, batchBlocks, probes int, hashes []uint64) {
	checkPaired(body, batchBlocks, probes)
	checkHits(hits, hashes)
	fallback.PairedContainsBatch(hits, body, batchBlocks, probes, hashes)
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
