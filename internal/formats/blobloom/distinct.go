package blobloom

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/rates"
	"github.com/simdbloom/simdbloom/internal/tables"
)

const blockBits = 8 * asm.BlockBytes

// shares are, for each number of different bits, the share of the lookups whose probes look at that number.
type shares [asm.MaxProbes + 1]float64

// distinct has the shares for every number of probes. The low half of a hash decides how many of its probes look at the
// same bits.
var distinct tables.Table[[asm.MaxProbes + 1]shares]

func fillDistinct(all *[asm.MaxProbes + 1]shares) {
	for low := range blockBits {
		var seen [blockBits]bool
		bits := 0
		for i := 1; i <= asm.MaxProbes; i++ {
			if at := (i*low + (i*i*i-i)/6) % blockBits; !seen[at] {
				seen[at] = true
				bits++
			}
			all[i][bits] += 1.0 / blockBits
		}
	}
}

// allSet returns the probability that all bits of a lookup are set, if a random share of the block's bits is.
func allSet(fill float64, probes int) float64 {
	if probes > asm.MaxProbes {
		return rates.Power(fill, probes)
	}
	s, sum, all := &distinct.Of(fillDistinct)[probes], 0.0, 1.0
	for bits := 1; bits <= probes; bits++ {
		left := float64(bits - 1) // that are taken
		all *= math.Max(0, fill*blockBits-left) / (blockBits - left)
		sum += s[bits] * all
	}
	return sum
}
