package answers

import "fmt"

// A filter hashes keys in blocks, whose hashes are on the stack: a few keys in a
// small block, because the stack is cleared at every call, and fewer than the
// kernels take one by one.
//
// The lines of a block are not prefetched while the next block is hashed. That was
// tried, with two blocks of 64 to 512 hashes and prefetching after every 8 to 128:
// it takes 8.3 to 8.9 ns a key at 32 MiB and 12 to 13 at 1 GiB, where this takes 7.2
// and 10.3 (FastLocal, k=6, AVX-512, Zen 4, huge pages, keys of 16 bytes). Hashing
// takes 3.9 of them, and lookups 2.6 and 5.6, so nothing was gained by doing both at
// once, and the kernels prefetch again. What matters is the size of the blocks, with
// each of which the kernels' prefetching begins anew: with 128, 256, 512 and 1024
// hashes 32 MiB takes 8.0, 7.4, 7.0 and 6.9 ns a key, and 1 GiB 11.5, 11.0, 10.6 and
// 10.7; with 128, 512, 2048 and 4096 1 MiB takes 6.4, 5.5, 5.2 and 5.0.
const (
	OneByOne   = 7
	SmallBlock = 64
	Block      = 512
	LargeBlock = 2048
)

// CheckKeys panics if there are fewer hits than keys.
func CheckKeys(keys [][]byte, hits []bool) {
	if len(hits) < len(keys) {
		panicShort(len(hits), len(keys))
	}
}

//go:noinline
func panicShort(hits, keys int) {
	panic(fmt.Sprintf("simdbloom: len(hits) is %d, but there are %d keys", hits, keys))
}
