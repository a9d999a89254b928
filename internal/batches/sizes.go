package batches

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/asm"
)

// Block is the number of values that are hashed and looked up together.
const Block = 512

// ColumnBlock is the number of a column's values that are hashed and looked up together. Half as many take
// as long in 16 KiB and 1 MiB, but 6 % longer in 32 MiB, and twice as many no less (FastLocal, k=6,
// AVX-512, Zen 4, numbers of 64 bits).
const ColumnBlock = 1024

// CheckKeys panics if there are fewer hits than keys.
func CheckKeys(keys int, hits []bool) {
	if len(hits) < keys {
		panicShort(len(hits), keys)
	}
}

// CheckBits panics if hits has less than a bit for each of the values.
func CheckBits(values int, hits []uint64) {
	if words := asm.Words(values); len(hits) < words {
		panic(fmt.Sprintf("simdbloom: len(hits) is %d, but %d values need %d words", len(hits), values, words))
	}
}

// CheckIndexes panics if the indexes of the values do not fit in 32 bits.
func CheckIndexes(values int) {
	if values > math.MaxInt32 {
		panic(fmt.Sprintf("simdbloom: a column of %d values has indexes beyond 32 bits: query slices of it", values))
	}
}

//go:noinline
func panicShort(hits, keys int) {
	panic(fmt.Sprintf("simdbloom: len(hits) is %d, but there are %d keys", hits, keys))
}
