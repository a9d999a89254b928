package answers

import (
	"fmt"

	"github.com/simdbloom/simdbloom/keyhash"
)

// Keys are hashed in blocks, whose hashes are on the stack: a few keys in a small
// one, because the stack is cleared at every call, and fewer than the kernels take
// one by one.
//
// The lines of a block are not prefetched while the next block is hashed. That was
// tried, with two blocks of 64 to 512 hashes and prefetching after every 8 to 128:
// it takes 8.3 to 8.9 ns a key at 32 MiB and 12 to 13 at 1 GiB, where this takes 7.2
// and 10.3 (FastLocal, k=6, AVX-512, Zen 4, huge pages, keys of 16 bytes). Hashing
// takes 3.9 of them, and asking 2.6 and 5.6, so nothing was gained by doing both at
// once, and the kernels prefetch again. What matters is the size of the blocks, with
// each of which the kernels' prefetching begins anew: with 128, 256, 512 and 1024
// hashes 32 MiB takes 8.0, 7.4, 7.0 and 6.9 ns a key, and 1 GiB 11.5, 11.0, 10.6 and
// 10.7; with 128, 512, 2048 and 4096 1 MiB takes 6.4, 5.5, 5.2 and 5.0.
const (
	oneByOne   = 7
	smallBlock = 64
	block      = 512
	largeBlock = 2048
)

// Keys sets hits[i] to the answer for keys[i]. It panics if hits is too short.
func (r *Reader) Keys(hash keyhash.Hash, keys [][]byte, hits []bool) {
	switch {
	case len(hits) < len(keys):
		panicShort(len(hits), len(keys))
	case len(keys) <= oneByOne:
		for i, key := range keys {
			hits[i] = r.contains(hash.Sum64(key))
		}
	case len(keys) <= smallBlock:
		var hashes [smallBlock]uint64
		r.keys(hash, keys, hits, hashes[:0])
	case len(keys) <= largeBlock:
		var hashes [block]uint64
		r.keys(hash, keys, hits, hashes[:0])
	default:
		r.manyKeys(hash, keys, hits)
	}
}

// manyKeys is a function by itself because its room is 16 KiB of the stack.
//
//go:noinline
func (r *Reader) manyKeys(hash keyhash.Hash, keys [][]byte, hits []bool) {
	var hashes [largeBlock]uint64
	r.keys(hash, keys, hits, hashes[:0])
}

func (r *Reader) contains(hash uint64) bool {
	if r.mode == paired {
		return r.Paired.Contains(hash)
	}
	return r.FastLocal.Contains(hash)
}

func (r *Reader) keys(hash keyhash.Hash, keys [][]byte, hits []bool, room []uint64) {
	for len(keys) > 0 {
		n := min(cap(room), len(keys))
		r.Bools(hash.AppendHashes(room, keys[:n]), hits[:n])
		keys, hits = keys[n:], hits[n:]
	}
}

//go:noinline
func panicShort(hits, keys int) {
	panic(fmt.Sprintf("simdbloom: %d bools for the answers of %d keys", hits, keys))
}
