package linear

import (
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/layout"
	"github.com/simdbloom/simdbloom/internal/linearplan"
)

var (
	longestTrailer = layout.LinearTrailerBytes(fallback.MaxLinearLayers)
	leastLimit     = asm.BlockBytes + int(longestTrailer)
)

// plan is what a builder's arguments say. It and the number of keys give a filter's size.
type plan struct {
	millibits uint64
	limit     building.Limit
}

// chosen returns the options, and the plan that they and the bits per key make.
func chosen(bitsPerKey float64, options []simdbloom.Option) (building.Options, plan, error) {
	o, err := building.Choose(options, 0, leastLimit)
	if err != nil {
		return o, plan{}, err
	}
	millibits, err := millibitsOf(bitsPerKey)
	return o, plan{millibits, o.Limit}, err
}

// millibitsOf returns bits per key in thousandths.
func millibitsOf(bitsPerKey float64) (uint64, error) {
	if err := building.CheckBitsPerKey(bitsPerKey); err != nil {
		return 0, err
	}
	return uint64(math.Round(min(bitsPerKey*1000, linearplan.MaxMillibits))), nil
}

// mostLines returns the largest number of lines within the limit.
func (p plan) mostLines() uint64 {
	most := p.limit.Body(asm.BlockBytes, linearplan.MaxLines*asm.BlockBytes, int(longestTrailer))
	return most / asm.BlockBytes // beyond MaxLines without a limit
}

// of returns the number of bits in a fingerprint and the most lines of a filter.
func (p plan) of(keys uint64) (r int, lines uint64) {
	if keys == 0 {
		return fallback.MostLinearBits, 0
	}
	return linearplan.PlanWithin(keys, p.millibits, p.mostLines())
}

// lines returns the most lines of a filter.
func (p plan) lines(keys uint64) uint64 {
	if keys == 0 {
		return 0
	}
	return linearplan.LinesWithin(keys, p.millibits, p.mostLines())
}

// mostBytes returns the largest size of a filter that has at most the given number of lines.
func mostBytes(lines uint64) uint64 {
	return lines*asm.BlockBytes + layout.LinearTrailerBytes(min(lines, fallback.MaxLinearLayers))
}
