package fastlocal

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/rates"
)

// NewKernel returns the kernel that adds keys to a body and looks them up. Many goroutines may add to a shared one at
// once.
func NewKernel(body []byte, probes int, shared bool) asm.Kernel {
	if shared {
		return asm.NewSharedFastLocal(body, probes)
	}
	return asm.NewFastLocal(body, probes)
}

// EstimatedKeys returns how many different keys set the given number of bits of a body, if
// they are spread at random: +Inf if all are set.
//
// A key leaves a bit clear unless it belongs to the bit's block and one of its probes is the
// bit.
func EstimatedKeys(set, body uint64, probes int) float64 {
	missesInBlock := rates.Power(1-1.0/blockBits, probes)
	return math.Log1p(-float64(set)/float64(8*body)) / math.Log1p(-(1-missesInBlock)/float64(body/asm.BlockBytes))
}
