package simdbloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/keyhash"
)

// ContainsHashes sets hits[i] to ContainsHash(hashes[i]). It panics if hits is
// shorter than hashes, before it writes anything.
//
// It is the fastest way to look up many keys. From eight on (Paired: 16) they share instructions, and
// their cache misses overlap. Fewer are looked up one by one, which costs about what ContainsHash of
// each does.
func (f *Filter) ContainsHashes(hashes []uint64, hits []bool) { f.kernel.ContainsBools(hashes, hits) }

// ContainsHashBits sets bit i%64 of hits[i/64] to ContainsHash(hashes[i]), the
// rest of the last word to zero, and no later words. hits must share no memory
// with hashes. It panics if hits has less than a bit for each hash, before it
// writes anything. It costs what ContainsHashes does, or a little less.
func (f *Filter) ContainsHashBits(hashes, hits []uint64) { f.kernel.ContainsBits(hashes, hits) }

// ContainsKeys sets hits[i] to Contains(keys[i]). It hashes and looks up many keys
// at a time, and costs little more than AppendHashes of [keyhash.Hash] and
// ContainsHashes. It panics if hits is shorter than keys, before it writes anything.
func (f *Filter) ContainsKeys(keys [][]byte, hits []bool) {
	if asm.HashesKeys {
		f.kernel.ContainsKeys(keys, hits) // at most one call here: it is inlined
		return
	}
	for f.keys != nil {
		f = f.keys
	}
	hasher{f.hash}.ContainsKeys(&f.kernel, keys, hits)
}

// A hasher is the key hash of a Kernel, which looks up many keys by it.
type hasher struct{ keyhash.Hash }

// ContainsKeys looks up many keys. Where no assembly hashes keys, it looks up a few, too. Its hashes take 5 KiB of the stack. With
// assembly, a few keys beyond whole eights take less time one by one than as one more eight, unless they wait for memory.
func (h hasher) ContainsKeys(k *asm.Kernel, keys [][]byte, hits []bool) {
	batches.CheckKeys(len(keys), hits)
	if !asm.HashesKeys && 0 < len(keys) && len(keys) < batches.FewKeys { // no keys at all panic in the zero Filter, too
		for i, key := range keys {
			hits[i] = k.Contains(h.Sum64(key))
		}
		return
	}
	if rest := len(keys) % 8; asm.HashesKeys && 0 < rest && rest <= batches.MostLeft && len(keys) <= batches.SmallBlock && !k.IsFar() {
		whole := len(keys) - rest
		k.ContainsKeys(keys[whole:], hits[whole:])
		keys, hits = keys[:whole], hits[:whole]
	}
	switch {
	case len(keys) <= batches.FewKeys: // all of it would take 1.1 to 1.4 times as long by AppendHashes (Zen 4)
		var hashes [batches.FewKeys]uint64
		switch h.Hash {
		case keyhash.XX64:
			asm.HashKeys(hashes[:len(keys)], keys)
		case keyhash.XXPH3:
			asm.HashKeysXXPH3(hashes[:len(keys)], keys)
		case keyhash.LevelDB32:
			asm.HashKeys32(hashes[:len(keys)], keys, false)
		case keyhash.RocksDB32, keyhash.LevelDB32Signed:
			asm.HashKeys32(hashes[:len(keys)], keys, true)
		default:
			for i, key := range keys {
				hashes[i&(len(hashes)-1)] = h.Sum64(key) // the mask removes the bounds check
			}
		}
		k.ContainsBools(hashes[:len(keys)], hits)
	case len(keys) <= batches.TinyBlock:
		var hashes [batches.TinyBlock]uint64
		h.containsBlocks(k, keys, hits, hashes[:0])
	case len(keys) <= batches.SmallBlock:
		var hashes [batches.SmallBlock]uint64
		h.containsBlocks(k, keys, hits, hashes[:0])
	case len(keys) <= batches.LargeBlock:
		var hashes [batches.Block]uint64
		h.containsBlocks(k, keys, hits, hashes[:0])
	default:
		h.containsLargeBlocks(k, keys, hits)
	}
}

// containsLargeBlocks is a function by itself because its hashes take 16 KiB of the
// stack.
//
//go:noinline
func (h hasher) containsLargeBlocks(k *asm.Kernel, keys [][]byte, hits []bool) {
	var hashes [batches.LargeBlock]uint64
	h.containsBlocks(k, keys, hits, hashes[:0])
}

// containsBlocks hashes and looks up a block of keys at a time.
func (h hasher) containsBlocks(k *asm.Kernel, keys [][]byte, hits []bool, hashes []uint64) {
	for len(keys) > 0 {
		n := min(cap(hashes), len(keys))
		k.ContainsBools(h.AppendHashes(hashes, keys[:n]), hits[:n])
		keys, hits = keys[n:], hits[n:]
	}
}

// ContainsUint64s sets hits[i] to ContainsUint64(values[i]). It hashes and looks up many values at a
// time, with XX64 by a kernel. It panics if hits is shorter than values, before it writes anything. For a []int64 call
// [Filter.ContainsColumn] or [Filter.AppendColumnHits] of keyhash.Values(values).
func (f *Filter) ContainsUint64s(values []uint64, hits []bool) {
	batches.CheckKeys(len(values), hits)
	if f.keys != nil {
		f.keys.ContainsUint64s(values, hits)
		return
	}
	var hashes [batches.Block]uint64
	for len(values) > 0 {
		n := min(len(hashes), len(values))
		f.kernel.ContainsBools(f.hash.AppendUint64s(hashes[:0], values[:n]), hits[:n])
		values, hits = values[n:], hits[n:]
	}
}

// AppendHits appends to dst the index of every hash that may have been added, in
// ascending order, and returns the extended slice. It allocates only if dst is too
// small, and then grows it by extrapolating the hit rate seen so far.
//
// It costs what ContainsHashBits does, and about a nanosecond for each hit.
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
