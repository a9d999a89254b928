package rates

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// Linear returns the rate of fingerprints of r bits, if the given share of lookups falls off the
// last layer.
func Linear(r int, left float64) float64 {
	own := math.Ldexp(1, -r)
	return own + (1-own)*left
}

// EstimatedLinear returns the rate of a linear filter with layers. Lookups that no layer answers
// raise it. To see that there are none takes one small layer; otherwise it reads a byte of every
// line.
func EstimatedLinear(kernel *asm.Kernel) float64 {
	left, shape, body := 1.0, kernel.Shape(), kernel.Body()
	for i := len(shape.Layers) - 1; i >= 0 && left > 0; i-- {
		begin := len(body) - int(shape.Layers[i])*asm.BlockBytes
		left *= shareBelow(body[begin:])
		body = body[:begin]
	}
	return Linear(shape.Bits, left)
}

// shareBelow returns the share of hashes whose place in the order of their line is below
// the line's threshold.
func shareBelow(body []byte) float64 {
	sum := uint64(0)
	for at := asm.BlockBytes - 1; at < len(body); at += asm.BlockBytes {
		sum += fallback.LinearPlacesBelow(body[at])
	}
	return float64(sum) / float64(len(body))
}

// Ribbon returns the rate of a filter with a column at least: every column halves it.
func Ribbon(shape fallback.RibbonShape) float64 {
	starts := shape.Slots - (fallback.RibbonBlockSlots - 1)
	fewer := float64(shape.Fewer) * fallback.RibbonBlockSlots / float64(starts)
	return math.Ldexp(fewer, 1-shape.Columns) + math.Ldexp(1-fewer, -shape.Columns)
}
