package asm

import (
	"fmt"
	"math/bits"

	"github.com/simdbloom/simdbloom/fallback"
)

// NewPaired returns the filter with the given body, whole batches of 32 or 128
// blocks, at least one, and the number of probes, 2 to MaxProbes.
func NewPaired(body []byte, batchBlocks, probes int) Kernel {
	checkPaired(body, batchBlocks, probes)
	half, numbers := probes/2, uint32(batchBlocks-1)
	indexBits, form := uint32(bits.OnesCount32(numbers)), formOf(half)
	row := &multipliers[half]
	k := Kernel{
		body: body, eight: [8]uint32(row[:8]), format: Paired, form: form,
		probes: probes, blockProbes: half, oneByOne: oneByOne(Paired, form, body), multipliers: row,
		tested:  0x0101 * (1<<min(uint(half), 8) - 1),
		numbers: numbers, offsets: numbers * BlockBytes,
		indexed: indexBits << (32 - 9), spread: 8*BlockBytes - indexBits,
		batchBlocks: batchBlocks, byBlock: len(body), inlined: inlinedOf(Paired, form, body, half),
	}
	k.use(&pairedFunctions)
	return k
}

func pairedContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	return 0, fallback.PairedContains(k.body, k.batchBlocks, k.probes, hash)
}

func pairedBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.PairedContainsBatch(k.body, k.batchBlocks, k.probes, hashes, hits)
}

// PairedCount is fallback.PairedCount. It panics on a hash that belongs to none
// of the counted blocks.
func PairedCount(counts []uint16, from, blocks uint32, hashes []uint64) {
	if uint64(blocks) > MaxBodyBytes/BlockBytes || uint64(from)+uint64(len(counts)) > uint64(blocks) {
		panic(fmt.Sprintf("asm: %d counts from block %d on do not fit %d blocks", len(counts), from, blocks))
	}
	fallback.PairedCount(counts, from, blocks, count(counts, from, blocks, hashes))
}

func checkPaired(body []byte, batchBlocks, probes int) {
	if batchBlocks != 32 && batchBlocks != 128 {
		panic(fmt.Sprintf("asm: batches must have 32 or 128 blocks, not %d", batchBlocks))
	}
	checkBody(body, batchBlocks*BlockBytes)
	checkProbes(probes, 2)
}
