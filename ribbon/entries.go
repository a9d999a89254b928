package ribbon

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
)

// EntriesFor returns how many keys a filter of the given number of bytes, trailer included, has
// room for. It returns 0 for arguments that NewBuilder refuses, and takes microseconds at most.
//
// RocksDB sizes the partitions of a partitioned filter by it (ApproximateNumEntries in
// table/block_based/filter_policy.cc). It is an estimate: a filter of that many
// keys may be a few bytes larger.
func EntriesFor(bytes int, bitsPerKey float64) int {
	l, err := newLayout(bitsPerKey)
	if err != nil {
		return 0
	}
	return int(min(l.entriesFor(uint64(max(bytes, 0))), math.MaxInt))
}

func (l layout) entriesFor(bytes uint64) uint64 {
	body := (max(bytes, trailerBytes) - trailerBytes) &^ (asm.RibbonSegmentBytes - 1)
	if !(l.oneIn > 1) {
		return mostKeys
	}
	wanted := 8 * float64(body) / columnsFor(l.oneIn)
	if !(wanted < float64(rawSlots(mostKeys))) {
		return mostKeys
	}
	slots := wholeBlocks(uint32(wanted))
	for range 2 { // RocksDB tries no more often
		if slots == 0 || bodyBytes(slots, l.oneIn, 0) <= body {
			break
		}
		slots = (slots - 1) / asm.RibbonBlockSlots * asm.RibbonBlockSlots
		if slots == asm.RibbonBlockSlots {
			slots = 0
		}
	}
	keys := uint64(keysOf(slots))
	if slots < fewSlots {
		return max(keys, fastlocal.EntriesFor(bytes, l.millibits))
	}
	return min(keys, mostKeys)
}

// columnsFor returns the mean number of columns that have the given rate.
func columnsFor(oneIn float64) float64 {
	if oneIn >= math.MaxUint32 {
		return asm.MostRibbonColumns
	}
	upper := bits.Len32(uint32(oneIn))
	rate := math.Ldexp(1, -upper)
	return float64(upper) - (1/oneIn-rate)/rate
}
