package linear

import (
	"math"
	"sort"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/linearplan"
)

// EntriesFor returns how many keys a filter of the given number of bytes, trailer included, has
// room for. It returns 0 for arguments that NewBuilder refuses, and takes microseconds at most.
func EntriesFor(bytes int, bitsPerKey float64) int {
	millibits, err := millibitsOf(bitsPerKey)
	if err != nil || bytes < asm.BlockBytes {
		return 0
	}
	bits := 8 * min(uint64(bytes), linearplan.MaxLines*asm.BlockBytes)
	most := min(bits/leastBitsPerKey, 1000*bits/millibits, math.MaxInt)
	return sort.Search(int(most), func(n int) bool {
		lines := linearplan.LinesWithin(uint64(n+1), millibits, math.MaxUint64)
		return lines > linearplan.MaxLines || mostBytes(lines) > uint64(bytes)
	})
}

// leastBitsPerKey is fewer than any filter has.
const leastBitsPerKey = 4
