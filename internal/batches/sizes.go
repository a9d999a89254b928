package batches

import (
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom/asm"
)

// A filter hashes keys in blocks, whose hashes are on the stack: a few keys in
// smaller blocks, because the stack is cleared at every call.
//
// The size of the blocks matters, because the kernels' prefetching begins anew with
// each. In ns a key (FastLocal, k=6, AVX-512, Zen 4, huge pages, keys of 16 bytes):
//
//	hashes    128   256   512  1024  2048  4096
//	 1 MiB    6.4         5.5         5.2   5.0
//	32 MiB    8.0   7.4   7.0   6.9
//	 1 GiB   11.5  11.0  10.6  10.7
//
// The lines of a block are not prefetched while the next block is hashed. That was tried,
// with two blocks of 64 to 512 hashes and prefetching after every 8 to 128. It takes 15 to
// 25 % longer, because nothing is gained by doing both at once, and the kernels prefetch
// again.
const (
	FewKeys    = 8 // fewer are looked up one by one
	TinyBlock  = 16
	SmallBlock = 64
	Block      = 512
	LargeBlock = 2048
)

// MostLeft is the most keys beyond whole eights, of up to SmallBlock, that are looked up one by one: an eight takes the
// time of six to seven single lookups (Blobloom and FastLocal with 12 probes, 16 KiB, AVX-512, Zen 4).
const MostLeft = 5

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
