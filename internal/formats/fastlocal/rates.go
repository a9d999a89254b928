package fastlocal

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/rates"
)

const blockBits = 8 * asm.BlockBytes

// Positions are the positions of a block's bits.
var Positions = rates.Among(blockBits)

// EstimatedFPR returns the false-positive rate of whole blocks, computed from the bits that are set.
func EstimatedFPR(body []byte, probes int) float64 {
	sum := 0.0
	for at := 0; at < len(body); at += asm.BlockBytes {
		fill := rates.Fill(body[at:at+asm.BlockBytes], 0)
		sum += blockRate(rates.Power(fill, probes), Positions.Keys(fill, probes), fill, probes)
	}
	return sum / float64(len(body)/asm.BlockBytes)
}

// PredictedFPR returns the expected rate of a filter of n keys whose body has the given size.
func PredictedFPR(body uint64, probes int, n uint64) float64 {
	return rates.OfBlocks(body, asm.BlockBytes, n, func(keys float64) float64 {
		byChance, fill := Positions.AllSet(keys*float64(probes), probes)
		return blockRate(byChance, keys, fill, probes)
	})
}

// hashBits are the bits of a hash that a key's positions in its block come from.
const hashBits = 32

// blockRate returns the rate of a block with the given number of keys and share of
// bits that are set, from the rate for random positions.
func blockRate(byChance, keys, fill float64, probes int) float64 {
	return math.Min(byChance+rates.Repeats(keys, hashBits, probes, fill), 1)
}
