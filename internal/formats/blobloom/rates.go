// Package blobloom has the bytes, sizes and false-positive rates of the filters of the Go module blobloom, and how they
// are built. Sizes are FastLocal's, but for the header.
package blobloom

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// EstimatedFPR returns the false-positive rate of whole blocks, computed from the bits that are set.
func EstimatedFPR(body []byte, probes int) float64 {
	sum := 0.0
	for at := 0; at < len(body); at += asm.BlockBytes {
		fill := rates.Fill(body[at:at+asm.BlockBytes], 0)
		sum += blockRate(allSet(fill, probes), fastlocal.Positions.Keys(fill, probes), fill, probes)
	}
	return sum / float64(len(body)/asm.BlockBytes)
}

// PredictedFPR returns the expected rate of a filter of n keys whose blocks have the given size.
func PredictedFPR(body uint64, probes int, n uint64) float64 {
	return rates.OfBlocks(body, asm.BlockBytes, n, func(keys float64) float64 {
		byChance, fill := fastlocal.Positions.AllSet(keys*float64(probes), probes)
		if byChance > 0 {
			byChance *= allSet(fill, probes) / rates.Power(fill, probes)
		}
		return blockRate(byChance, keys, fill, probes)
	})
}

// blockRate returns the rate of a block with the given number of keys and share of bits that are set, from the rate
// for random bits.
func blockRate(byChance, keys, fill float64, probes int) float64 {
	if byChance >= 1 {
		return 1
	}
	return byChance + repeats(keys, fill, probes)
}

// repeats returns how much likelier a lookup finds its bits because some key has set the same ones. A key's positions
// come from 9 bits of each half of its hash, so a lookup has all bits of a key in 1 of 2^18 cases. Where both halves
// differ from the key's by multiples of 512/m, in m*m/2 such cases for m = 2 and 4, one in m of its probes looks at the
// key's bits. (Larger m are about chance.)
func repeats(keys, fill float64, probes int) float64 {
	chance := math.Pow(fill, float64(probes)/4)
	chance2, chance3 := chance*chance, chance*chance*chance
	all := chance2 * chance2
	return keys * math.Ldexp(1-all+2*(chance2-all)+8*(chance3-all), -18)
}
