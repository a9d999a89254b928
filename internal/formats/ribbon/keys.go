package ribbon

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

// KeysFor returns the number of keys that a filter of the given size has room for, or 0 for what builders refuse.
func KeysFor(bytes int, bitsPerKey float64) int {
	p, err := newPlan(bitsPerKey)
	if err != nil {
		return 0
	}
	return int(min(p.keysFor(uint64(max(bytes, 0))), math.MaxInt))
}

// keysFor returns how many keys a filter of the given number of bytes has room for.
func (p plan) keysFor(bytes uint64) uint64 {
	body := (max(bytes, rocksdb.TrailerBytes) - rocksdb.TrailerBytes) &^ (fallback.RibbonSegmentBytes - 1)
	if !(p.oneIn > 1) {
		return mostKeys
	}
	wanted := 8 * float64(body) / columnsFor(p.oneIn)
	if !(wanted < float64(rawSlots(mostKeys))) {
		return mostKeys
	}
	slots := wholeBlocks(uint32(wanted))
	for range 2 { // RocksDB tries no more often
		if slots == 0 || bodyBytes(slots, p.oneIn, 0) <= body {
			break
		}
		slots = (slots - 1) / fallback.RibbonBlockSlots * fallback.RibbonBlockSlots
		if slots == fallback.RibbonBlockSlots {
			slots = 0
		}
	}
	keys := uint64(keysOf(slots))
	if slots < fewSlots {
		return max(keys, fastlocal.Layout.KeysFor(bytes, p.millibits))
	}
	return min(keys, mostKeys)
}

// columnsFor returns the mean number of columns that have the given rate.
func columnsFor(oneIn float64) float64 {
	if oneIn >= math.MaxUint32 {
		return fallback.MostRibbonColumns
	}
	upper := bits.Len32(uint32(oneIn))
	rate := math.Ldexp(1, -upper)
	return float64(upper) - (1/oneIn-rate)/rate
}
