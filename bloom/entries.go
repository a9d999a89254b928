package bloom

import (
	"math"

	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
)

// EntriesFor returns how many keys a filter of the given number of bytes, trailer included, has
// room for. It returns 0 for arguments that NewBuilder refuses, and takes microseconds at most.
//
// RocksDB sizes the partitions of a partitioned filter by it (ApproximateNumEntries in
// table/block_based/filter_policy.cc).
func EntriesFor(bytes int, bitsPerKey float64) int {
	millibits, err := building.Millibits(bitsPerKey)
	if err != nil {
		return 0
	}
	return int(min(fastlocal.EntriesFor(uint64(max(bytes, 0)), millibits), math.MaxInt))
}
