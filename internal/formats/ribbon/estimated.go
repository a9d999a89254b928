package ribbon

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// EstimatedFPR returns the false-positive rate of a filter.
func EstimatedFPR(kernel *asm.Kernel) float64 { return rateOf(kernel.Shape().Ribbon) }

// rateOf returns the rate of a filter with a column at least: every column halves it.
func rateOf(shape fallback.RibbonShape) float64 {
	starts := shape.Slots - (fallback.RibbonBlockSlots - 1)
	fewer := float64(shape.Fewer) * fallback.RibbonBlockSlots / float64(starts)
	return math.Ldexp(fewer, 1-shape.Columns) + math.Ldexp(1-fewer, -shape.Columns)
}
