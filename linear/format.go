package linear

import (
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/layout"
	"github.com/simdbloom/simdbloom/internal/linearplan"
)

// lineBytes is the size of a line and its header.
const lineBytes = linearplan.LineBits / 8

var (
	longestTrailer = layout.LinearTrailerBytes(fallback.MaxLinearLayers)
	leastLimit     = lineBytes + int(longestTrailer)
)

// setting is what a builder's arguments say. It and the number of keys give a filter's plan.
type setting struct {
	millibits uint64
	limit     building.Limit
	load      uint64 // the most that is planned
}

func init() {
	building.Link(asm.Linear, func(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
		s, err := chosen(bitsPerKey, o)
		o.Overwrites, o.Mix = true, mix
		return &scheme{setting: s}, err
	})
}

// chosen returns the setting that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (setting, error) {
	if err := o.Check(building.GivenFasterLookups, leastLimit); err != nil {
		return setting{}, err
	}
	load := uint64(linearplan.UsualLoad)
	if o.Given&building.GivenFasterLookups != 0 {
		load = linearplan.LowLoad
	}
	millibits, err := millibitsOf(bitsPerKey)
	return setting{millibits, o.Limit, load}, err
}

// millibitsOf returns bits per key in thousandths.
func millibitsOf(bitsPerKey float64) (uint64, error) {
	if err := building.CheckBitsPerKey(bitsPerKey); err != nil {
		return 0, err
	}
	return uint64(math.Round(min(bitsPerKey*1000, linearplan.MaxMillibits))), nil
}

// mostLines returns the largest number of lines within the limit.
func (s setting) mostLines() uint64 {
	return s.limit.Body(lineBytes, linearplan.MaxLines*lineBytes, int(longestTrailer)) / lineBytes // beyond MaxLines without a limit
}

// plan returns the plan for keys, at least one, and the number of lines that a small filter tries to have.
func (s setting) plan(keys uint64) (p linearplan.Plan, least uint64) {
	return linearplan.Within(keys, linearplan.Asked(keys, s.millibits), s.mostLines(), s.load)
}

// lines returns the most lines of a filter.
func (s setting) lines(keys uint64) uint64 {
	if keys == 0 {
		return 0
	}
	return linearplan.LinesWithin(keys, linearplan.Asked(keys, s.millibits), s.mostLines(), s.load)
}

// mostBytes returns the largest size of a filter that has at most the given number of lines.
func mostBytes(lines uint64) uint64 {
	return lines*lineBytes + layout.LinearTrailerBytes(min(lines, fallback.MaxLinearLayers))
}
