package keyhash

import (
	"github.com/cespare/xxhash/v2"

	"github.com/simdbloom/simdbloom/internal/xx64"
)

// sumsXX64 is XXH64 with seed 0 of every key.
func sumsXX64(sums []uint64, keys [][]byte) {
	sums = sums[:len(keys)]
	for i, key := range keys {
		if xx64.IsShort(len(key)) {
			sums[i] = xx64.Finish(xx64.Rest(xx64.First(key), key))
		} else {
			sums[i] = xxhash.Sum64(key)
		}
	}
}
