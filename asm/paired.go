package asm

import (
	"fmt"
	"math/bits"
	"runtime"
	"unsafe"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/tables"
)

// NewPaired returns the filter with the given body, whole batches of 32 or 128
// blocks, at least one, and the number of probes, 2 to MaxProbes.
func NewPaired(body []byte, batchBlocks, probes int) Kernel {
	checkPaired(body, batchBlocks, probes)
	half := probes / 2
	row, form := multipliersOf(half), formOf(half)
	k := Kernel{
		body: body, eight: [8]uint32(row[:8]), format: Paired, form: form, own: unsafe.Pointer(pairedShapeOf(batchBlocks, half)),
		probes: probes, oneByOneMax: oneByOneMaxOf(Paired, form, body), multipliers: row,
		prefetchable: true, inlined: inlinedOf(Paired, form, body, half),
	}
	k.use(&pairedFunctions)
	return k
}

// pairedShape is shared by filters with the same batches and number of probes.
type pairedShape struct {
	half    int    // probes of one block
	tested  uint32 // a bit for each of these, up to eight, twice
	numbers uint32 // the bits of a block's index that number it in its batch
	indexed uint32 // products below look at a bit of the pair index
	spread  uint32 // multiplies those, which spreads them over the other bits
	offsets uint32 // the bits of a block's offset that number it, in bytes
}

// pairedShapes are those of batches of 32 and of 128 blocks.
var pairedShapes tables.Table[[2][MaxProbes/2 + 1]pairedShape]

func fillPairedShapes(all *[2][MaxProbes/2 + 1]pairedShape) {
	for i, batchBlocks := range []uint32{32, 128} {
		numbers := batchBlocks - 1
		indexBits := uint32(bits.OnesCount32(numbers))
		for half := range all[i] {
			all[i][half] = pairedShape{
				half: half, tested: 0x0101 * (1<<min(uint(half), 8) - 1), numbers: numbers, offsets: numbers * BlockBytes,
				indexed: indexBits << (32 - 9), spread: 8*BlockBytes - indexBits,
			}
		}
	}
	pairedKernelTables()
}

func pairedShapeOf(batchBlocks, half int) *pairedShape {
	return &pairedShapes.Of(fillPairedShapes)[batchBlocks/128][half]
}

func (s *pairedShape) batchBlocks() int { return int(s.numbers + 1) } // 0 of eitherShape

func (k *Kernel) paired() *pairedShape { return (*pairedShape)(k.own) }

func pairedContainsGo(k *Kernel, hash uint64) (_ uint64, found bool) {
	found = fallback.PairedContains(k.body, k.paired().batchBlocks(), k.probes, hash)
	runtime.KeepAlive(k)
	return 0, found
}

func pairedBitsInGo(k *Kernel, hashes, hits []uint64) {
	fallback.PairedContainsBatch(k.body, k.paired().batchBlocks(), k.probes, hashes, hits)
	runtime.KeepAlive(k)
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
