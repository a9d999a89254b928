package linear

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
)

// lineBytes is the size of a line and its header.
const lineBytes = LineBits / 8

const (
	longestTrailer = fallback.MaxLinearLayers*layerBytes + endBytes
	leastLimit     = lineBytes + longestTrailer
)

// setting holds a builder's settings. It and the number of keys give a filter's plan.
type setting struct {
	millibits uint64
	limit     building.Limit
	load      uint64 // the most that is planned
}

// NewScheme returns how filters are built.
func NewScheme(bitsPerKey float64, o *building.Options) (building.Scheme, error) {
	s, err := chosen(bitsPerKey, o)
	o.Overwrites, o.Mix = true, mix
	return &scheme{setting: s, listsFrom: o.ListsFrom}, err
}

// chosen returns the setting that the bits per key and the options make.
func chosen(bitsPerKey float64, o *building.Options) (setting, error) {
	if err := o.Check(building.GivenFasterLookups, leastLimit); err != nil {
		return setting{}, err
	}
	load := uint64(UsualLoad)
	if o.Given&building.GivenFasterLookups != 0 {
		load = LowLoad
	}
	millibits, err := millibitsOf(bitsPerKey)
	return setting{millibits, o.Limit, load}, err
}

// millibitsOf returns bits per key in thousandths.
func millibitsOf(bitsPerKey float64) (uint64, error) {
	if err := building.CheckBitsPerKey(bitsPerKey); err != nil {
		return 0, err
	}
	return uint64(math.Round(min(bitsPerKey*1000, MaxMillibits))), nil
}

// mostLines returns the largest number of lines within the limit.
func (s setting) mostLines() uint64 {
	return s.limit.Body(lineBytes, MaxLines*lineBytes, longestTrailer) / lineBytes // beyond MaxLines without a limit
}

// plan returns the plan for keys, at least one, and the number of lines that a small filter tries to have.
func (s setting) plan(keys uint64) (p Plan, least uint64) {
	return Within(keys, Asked(keys, s.millibits), s.mostLines(), s.load)
}

// lines returns the most lines of a filter.
func (s setting) lines(keys uint64) uint64 {
	if keys == 0 {
		return 0
	}
	return LinesWithin(keys, Asked(keys, s.millibits), s.mostLines(), s.load)
}

// mostBytes returns the largest size of a filter that has at most the given number of lines.
func mostBytes(lines uint64) uint64 {
	return lines*lineBytes + TrailerBytes(min(lines, fallback.MaxLinearLayers))
}

// KeysFor returns the number of keys that a filter of the given size has room for, or 0 for what builders refuse.
func KeysFor(bytes int, bitsPerKey float64, o *building.Options) int {
	s, err := chosen(bitsPerKey, o)
	if err != nil || bytes < lineBytes {
		return 0
	}
	bits := 8 * min(uint64(bytes), MaxLines*lineBytes)
	const leastBitsPerKey = 4 // fewer than any filter has
	most := min(bits/leastBitsPerKey, 1000*bits/s.millibits, math.MaxInt)
	return sort.Search(int(most), func(n int) bool {
		keys := uint64(n + 1)
		lines := LinesWithin(keys, Asked(keys, s.millibits), math.MaxUint64, s.load)
		return lines > MaxLines || mostBytes(lines) > uint64(bytes)
	})
}
