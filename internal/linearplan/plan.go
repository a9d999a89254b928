// Package linearplan decides how large a linear filter is, and its layers. A filter's
// bytes depend on it, so that it counts in whole numbers only (docs/linear.md).
//
// Lines that are too full do not hold all of their keys. Those that they leave out are in
// the next layer, which is smaller, and so on. More keys per slot in the first layer mean
// fewer lines in all, or longer fingerprints, and more keys that need a second line.
package linearplan

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

const (
	// MaxLines is the largest number of lines that a filter may have.
	MaxLines = math.MaxUint32

	// MaxMillibits is the largest number of bits per key, in thousandths.
	MaxMillibits = 1_000_000

	// mostKeys is more than any filter holds. Up to it, no product is too large.
	mostKeys = 1 << 40

	lineBits = 8 * asm.BlockBytes
)

// Loads are counted in 1/64 keys per slot.
const (
	loadUnit    = 64
	leastLoad   = 16
	mostPlanned = 80 // when the fingerprint's length is chosen
	mostLaidOut = 88 // when a layer's size is: the keys may be unlucky
)

// spare is by how many the slots of a line exceed the keys that it very likely holds, all of
// them.
const spare = 3

// What bumpShares is counted in.
const (
	firstLoad      = 8 // in 16ths of a key per slot
	loads          = 15
	lastLoad       = firstLoad + loads - 1
	sixteenthShift = 12 // from 65536ths
	shareOne       = 1 << 16
)

// unlimited is more lines than any filter has.
const unlimited = math.MaxUint64

// Plan returns the number of bits in a fingerprint and the number of lines in all layers,
// for at least one key. The lines may be more than MaxLines: such a filter cannot be built.
func Plan(keys, millibits uint64) (r int, lines uint64) {
	keys = min(keys, mostKeys)
	lines = wanted(keys, millibits)
	for r := fallback.MostLinearBits; r >= fallback.LeastLinearBits; r = Lower(r) {
		l := lineOf(r)
		if keys <= l.slots-spare || l.leastLoad(keys, lines, mostPlanned) != 0 {
			return r, lines
		}
	}
	return fallback.LeastLinearBits, lineOf(fallback.LeastLinearBits).total(keys, mostPlanned)
}

// PlanWithin is Plan of a filter of at most the given number of lines. Where Plan's has
// more, PlanWithin plans for as many bits per key as fit. Fingerprints of
// fallback.LeastLinearBits may need more lines even so: then there are as many as allowed, and
// the last layer does not hold all keys.
func PlanWithin(keys, millibits, most uint64) (r int, lines uint64) {
	r, lines = Plan(keys, millibits)
	if lines <= most {
		return r, lines
	}
	keys, most = min(keys, mostKeys), min(most, MaxLines)
	if r, lines = Plan(keys, most*1000*lineBits/keys); lines <= most {
		return r, lines
	}
	return fallback.LeastLinearBits, most
}

// LinesWithin returns the number of lines that PlanWithin does. It takes a small part of the
// time unless the bits per key are close to the fewest, or fewer.
func LinesWithin(keys, millibits, most uint64) uint64 {
	lines := wanted(min(keys, mostKeys), millibits)
	if lines <= most && lineOf(fallback.LeastLinearBits).total(min(keys, mostKeys), mostPlanned) <= lines {
		return lines
	}
	_, lines = PlanWithin(keys, millibits, most)
	return lines
}

// IsRaised reports whether the keys take more lines than the bits per key are enough for.
func IsRaised(keys, millibits uint64) bool {
	_, lines := Plan(keys, millibits)
	return lines > wanted(min(keys, mostKeys), millibits)
}

// wanted returns the number of lines that have the given number of bits per key.
func wanted(keys, millibits uint64) uint64 {
	return min(max(ceil(keys*min(millibits, MaxMillibits), 1000*lineBits), 1), MaxLines)
}

// ShareLeft returns the expected share of the keys that no layer holds: 0 unless the lines
// are fewer than the keys need.
func ShareLeft(r int, keys, lines uint64) float64 {
	l := lineOf(r)
	left := min(keys, mostKeys)
	all := float64(left)
	for layer := 1; left > 0 && lines > 0 && layer <= fallback.MaxLinearLayers; layer++ {
		if left <= l.slots-spare {
			return 0
		}
		taken := lines
		if layer < fallback.MaxLinearLayers {
			taken = NextLayer(r, left, lines)
		}
		lines -= taken
		left = min(left, l.bumped(left, taken))
	}
	return float64(left) / all
}

// Lower returns the next lower number of bits in a fingerprint that the format has, or 0.
func Lower(r int) int {
	for r--; r >= fallback.LeastLinearBits; r-- {
		if fallback.LinearSlotsOf(r) > 0 {
			return r
		}
	}
	return 0
}

// NextLayer returns the number of lines in a layer of at least one key, out of those that
// are left for it and the layers after it. The last of fallback.MaxLinearLayers layers takes all
// of them instead.
func NextLayer(r int, keys, left uint64) uint64 {
	l := lineOf(r)
	if left == 1 || keys <= l.slots-spare {
		return 1
	}
	load := l.leastLoad(keys, left, mostLaidOut)
	if load == 0 {
		return left - (left+3)/4
	}
	return min(l.linesAt(keys, load), left-1)
}

// line is a line with fingerprints of r bits.
type line struct {
	r     int
	slots uint64
}

func lineOf(r int) line { return line{r, uint64(fallback.LinearSlotsOf(r))} }

// leastLoad returns the least load, up to most, at which all layers together have no more
// lines than given, or 0 if none has. (It leaves out the loads whose first layer alone has
// more.)
func (l line) leastLoad(keys, lines, most uint64) uint64 {
	first := ceil(loadUnit*keys, lines*l.slots)
	for load := max(leastLoad, first); load <= most; load++ {
		if l.total(keys, load) <= lines {
			return load
		}
	}
	return 0
}

// linesAt returns the number of lines in a layer of the given load.
func (l line) linesAt(keys, load uint64) uint64 { return ceil(loadUnit*keys, load*l.slots) }

// total returns the number of lines in all layers of the given load.
func (l line) total(keys, load uint64) (sum uint64) {
	for range fallback.MaxLinearLayers {
		if keys == 0 {
			return sum
		}
		if keys <= l.slots-spare {
			return sum + 1
		}
		lines := l.linesAt(keys, load)
		sum += lines
		bumped := l.bumped(keys, lines)
		keys = min(keys, bumped+root(bumped))
	}
	return unlimited
}

// bumped returns how many keys of a layer go on to the next one, as far as can be told.
func (l line) bumped(keys, lines uint64) uint64 {
	shares := &bumpShares[l.r]
	slots := lines * l.slots
	load := keys << 16 / slots
	switch i := load >> sixteenthShift; {
	case i < firstLoad:
		return ceil(keys*shares[0], shareOne)
	case i >= lastLoad: // as many as with the last load are not bumped
		return keys - min(keys, slots*lastLoad*(shareOne-shares[loads-1])>>20)
	default:
		low, high := shares[i-firstLoad], shares[i-firstLoad+1]
		return ceil(keys*(low+(high-low)*(load&(1<<sixteenthShift-1))>>sixteenthShift), shareOne)
	}
}

func ceil(a, b uint64) uint64 { return (a + b - 1) / b }

// root returns the square root, rounded down.
func root(x uint64) uint64 {
	if x == 0 {
		return 0
	}
	// Newton's iteration falls from above.
	r := uint64(1) << ((bits.Len64(x) + 1) / 2)
	for {
		next := (r + x/r) / 2
		if next >= r {
			return r
		}
		r = next
	}
}
