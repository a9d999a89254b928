package legacy

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/asm"
)

// EntriesFor returns how many keys a filter of the given number of bytes, trailer included, has
// room for. It returns 0 for arguments that NewBuilder refuses, and takes microseconds at most.
//
// RocksDB sizes the partitions of a partitioned filter by it (ApproximateNumEntries in
// table/block_based/filter_policy.cc).
func EntriesFor(bytes int, bitsPerKey float64) int {
	o, err := chosen(bitsPerKey, nil)
	if err != nil || bytes < asm.BlockBytes+trailerBytes {
		return 0
	}
	most := min(8*min(uint64(bytes), mostBits/8)/o.bitsPerKey+1, math.MaxInt)
	return sort.Search(int(most), func(n int) bool {
		lines, _ := o.size(n + 1)
		return lines*asm.BlockBytes+trailerBytes > uint64(bytes)
	})
}
