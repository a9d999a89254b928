package paired

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/rates"
)

const blockBits = 8 * asm.BlockBytes

// IndexBits returns how many bits of each block of a paired filter are its pair index.
func IndexBits(batchBlocks int) int { return bits.Len(uint(batchBlocks)) - 1 }

// EstimatedFPR returns the rate of a filter, computed from the bits that are set. It reads all of them, at tens of
// nanoseconds a cache line.
func EstimatedFPR(kernel *asm.Kernel) float64 {
	body, batch, half := kernel.Body(), kernel.Shape().BatchBlocks, kernel.Shape().Probes/2
	if batch == 0 { // either
		return 1 - (1-estimated(body, SpeedbBlocks, half))*(1-estimated(body, PublishedBlocks, half))
	}
	return estimated(body, batch, half)
}

func estimated(body []byte, batch, half int) float64 {
	index, among := IndexBits(batch), positionsOf(batch)
	var room [128]float64 // of the largest batch
	fills, sum := room[:batch], 0.0
	for at := 0; at < len(body); at += batch * asm.BlockBytes {
		line := func(i int) []byte { return body[at+i*asm.BlockBytes : at+(i+1)*asm.BlockBytes] }
		for i := range fills {
			fills[i] = rates.Fill(line(i), index)
		}
		for i, own := range fills {
			other := fills[int(line(i)[0])&(batch-1)]
			keys := among.Keys((own+other)/2, half)
			sum += pairRate(rates.Power(own*other, half), keys, (own+other)/2, half, batch)
		}
	}
	return sum / float64(len(body)/asm.BlockBytes)
}

// PairOf returns the expected rate of two blocks with the given number of keys together.
func PairOf(keys float64, batchBlocks, probes int) float64 {
	half := probes / 2
	inOne, fill := positionsOf(batchBlocks).AllSet(keys*float64(half), half)
	return pairRate(rates.Power(inOne, 2), keys, fill, half, batchBlocks)
}

var (
	speedbPositions    = rates.Among(int64(blockBits - IndexBits(32)))
	publishedPositions = rates.Among(int64(blockBits - IndexBits(128)))
)

// positionsOf returns those in a line: all but the bits of the pair's index.
func positionsOf(batchBlocks int) rates.Positions {
	if batchBlocks == 32 {
		return speedbPositions
	}
	return publishedPositions
}

// The bits of a hash that a key's positions come from: all of its upper 32 in one of
// the two lines, the lower 23 of these in the other. (The few remapped positions there
// come from the upper bits, which makes no measurable difference.)
const (
	hashBits      = 32
	lowerHashBits = 23
)

// pairRate returns the rate of a pair of lines with the given number of keys and
// share of bits that are set, from the rate for random positions.
func pairRate(byChance, keys, fill float64, half, batchBlocks int) float64 {
	if byChance <= 0 || byChance >= 1 {
		return byChance
	}
	rate := byChance * rates.Power(1+remapped(fill, batchBlocks)/(fill*fill), half)
	rate += rates.Power(fill, half) * rates.Repeats(keys, lowerHashBits, half, fill)
	rate += rates.Repeats(keys, hashBits, half, fill*fill)
	return math.Min(rate, 1)
}

// remapped returns by how much a probe is likelier than by chance to find its bits set
// in both lines of a pair, of which the given share of bits is set. A position that
// falls on a line's pair index is remapped by the same bits that are the position in the
// other line: two keys that are remapped in one line and meet in the other meet in both.
// That counts in pairs of few keys (measured: docs/accuracy.md).
func remapped(fill float64, batchBlocks int) float64 {
	remaps := float64(IndexBits(batchBlocks)) / blockBits // a probe, in either line
	set := -math.Log1p(-fill)                             // probes that set a given bit
	return 2 * remaps * (remaps * set) * (1 - fill) * (1 - fill)
}
