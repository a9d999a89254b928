package fastlocal

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// EstimatedKeys returns how many different keys set the given number of bits of a body, if
// they are spread at random: +Inf if all are set.
//
// A key leaves a bit clear unless it belongs to the bit's block and one of its probes is the
// bit.
func EstimatedKeys(set, body uint64, probes int) float64 {
	missesInBlock := rates.Power(1-1.0/blockBits, probes)
	return math.Log1p(-float64(set)/float64(8*body)) / math.Log1p(-(1-missesInBlock)/float64(body/asm.BlockBytes))
}

// LeastMillibits returns the least bits per key, in thousandths, for which NumProbes is the
// given number, or 24 if that is above 24.
func LeastMillibits(probes int) int {
	switch {
	case probes <= 1:
		return 1000
	case probes <= len(mostMillibits):
		return mostMillibits[probes-2] + 1
	default:
		return 2000*(min(probes, 24)+1) + 1
	}
}
