package ribbon

import (
	"math"

	"github.com/simdbloom/simdbloom/fallback"
)

// The tables and formulas are from BandingConfigHelper in util/ribbon_config.cc, for 128-bit
// coefficients without smash, and one failure in 20. RocksDB computes them in float64 without
// fused multiply-add, hence the conversions.

const (
	log2E        = 1.4426950409 // as many digits as RocksDB has
	firstMeasure = 8
	lastMeasure  = 17
)

// perDoubling is how much less of the slots are used each time. It is a variable so that products
// with it are rounded as RocksDB's are.
var perDoubling = 0.0038

// measured has the number of keys that 2^8, 2^9 … slots hold.
var measured = [...]float64{248.851, 499.532, 1001.26, 2003.97, 4005.59, 8000.39, 15966.6, 31828.1, 63447.3, 126506}

var (
	lastMeasured = measured[lastMeasure-firstMeasure]
	ofLastSlots  = float64(1<<lastMeasure) / lastMeasured
	beyondBase   = ofLastSlots - float64(float64(lastMeasure)*perDoubling)
)

// keysIn returns the number of keys that 2^log slots hold, or 0 if it was not measured.
func keysIn(log int) float64 {
	switch {
	case log < firstMeasure:
		return 0
	case log <= lastMeasure:
		return measured[log-firstMeasure]
	}
	return math.Ldexp(1, log) / (beyondBase + float64(float64(log)*perDoubling))
}

// rawSlots returns the number of slots for a number of keys, at least one, before rounding.
func rawSlots(keys uint64) uint32 {
	n := float64(keys)
	log := int(float64(math.Log(n)*log2E) + 0.5)
	lower := keysIn(log)
	if log == 0 || lower == 0 {
		return leastSlots
	}
	upper := 0.0
	if n < lower {
		upper = lower
		log--
		lower = keysIn(log)
	} else {
		upper = keysIn(log + 1)
	}
	beyond := (n - lower) / (upper - lower)
	power := math.Ldexp(1, log)
	return uint32(float64(beyond*power) + power + 0.999999999)
}

const leastSlots = fallback.LeastRibbonBlocks * fallback.RibbonBlockSlots

// numSlots returns the number of slots for a number of keys, at least one.
func numSlots(keys uint64) uint32 { return wholeBlocks(rawSlots(keys)) }

// wholeBlocks rounds a number of slots up to whole blocks, of which there are at least two, or
// none.
func wholeBlocks(slots uint32) uint32 {
	slots = (slots + fallback.RibbonBlockSlots - 1) / fallback.RibbonBlockSlots * fallback.RibbonBlockSlots
	if slots == fallback.RibbonBlockSlots {
		return leastSlots
	}
	return slots
}

// keysOf returns the number of keys that a number of slots holds.
func keysOf(slots uint32) uint32 {
	if slots == 0 {
		return 0
	}
	log := float64(math.Log(float64(slots)) * log2E)
	floor := int(log)
	if floor+1 <= lastMeasure {
		beyond := float64(slots)/math.Ldexp(1, floor) - 1
		return uint32(float64(beyond*keysIn(floor+1)) + float64((1-beyond)*keysIn(floor)))
	}
	return uint32(float64(slots) / (beyondBase + float64(log*perDoubling)))
}
