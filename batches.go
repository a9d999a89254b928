package simdbloom

import (
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/keyhash"
)

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It panics if hits is
// shorter than hashes, before it writes anything.
//
// It is the fastest way to look up many keys. From eight on (Paired: 16) they share instructions, and
// their cache misses overlap. Fewer are looked up one by one, at about the cost of ContainsHash for
// each.
func (f *Filter) ContainsHashes(hashes []uint64, hits []bool) { f.kernel.ContainsBools(hashes, hits) }

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the
// rest of the last word to zero, and no later words. hits must share no memory
// with hashes. It panics if hits has less than a bit for each hash, before it
// writes anything. It costs as much as ContainsHashes, or a little less.
func (f *Filter) ContainsHashBits(hashes, hits []uint64) { f.kernel.ContainsBits(hashes, hits) }

// ContainsKeys sets hits[i] to Contains(keys[i]). It hashes and looks up many keys
// at a time, and costs little more than AppendHashes of [keyhash.Hash] and
// ContainsHashes. It panics if hits is shorter than keys, before it writes anything.
func (f *Filter) ContainsKeys(keys [][]byte, hits []bool) { f.kernel.ContainsKeys(keys, hits) }

// ContainsUint64s sets hits[i] to ContainsUint64(values[i]). It hashes and looks up many values at a
// time, with XX64 by a kernel. It panics if hits is shorter than values, before it writes anything. For a []int64 call
// [Filter.ContainsColumn] or [Filter.AppendColumnHits] of keyhash.Values(values).
func (f *Filter) ContainsUint64s(values []uint64, hits []bool) {
	batches.CheckKeys(len(values), hits)
	kernel, hash := f.ofKeys()
	if n := kernel.ContainsWords(values, hits); n > 0 {
		values, hits = values[n:], hits[n:]
	}
	var hashes [batches.Block]uint64
	for len(values) > 0 {
		n := min(len(hashes), len(values))
		kernel.ContainsBools(hash.AppendColumn(hashes[:0], keyhash.Values(values[:n])), hits[:n])
		values, hits = values[n:], hits[n:]
	}
}

// AppendHits appends to dst the index of every hash that may have been added, in
// ascending order, and returns the extended slice. It allocates only if dst is too
// small, and then grows it by extrapolating the hit rate seen so far.
//
// It costs as much as ContainsHashBits, and about a nanosecond for each hit.
func (f *Filter) AppendHits(dst []int, hashes []uint64) []int {
	if len(hashes) <= batches.FewBits {
		var words [batches.FewBits / 64]uint64
		f.kernel.ContainsBits(hashes, words[:])
		return batches.AppendIndexes(dst, words[:], 0, len(hashes))
	}
	var words [batches.ManyBits / 64]uint64
	for base := 0; base < len(hashes); base += batches.ManyBits {
		f.kernel.ContainsBits(hashes[base:min(base+batches.ManyBits, len(hashes))], words[:])
		dst = batches.AppendIndexes(dst, words[:], base, len(hashes))
	}
	return dst
}
