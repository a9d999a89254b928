package bitsandblooms

import (
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/internal/classic"
)

// group is the number of hashes whose first probes are taken together.
const group = 64

// fewestFar is the least number of hashes for which lines of a far filter are prefetched. Of containsGroup's time, that
// takes 1.1 to 1.6 with 8 a call, 0.5 to 0.9 with 16, 0.3 to 0.4 with 64 and 0.2 to 0.4 with 1,000 (8, 32 and 256 MiB,
// k = 7; absent, half present, present; Zen 4). In 2 MiB it takes more with up to 32 a call.
const fewestFar = 16

// ContainsKeys is Contains of many keys: hits[i] is the answer for keys[i]. It panics if there are fewer
// hits than keys. It overlaps the cache misses of many keys: in 32 MiB it needs a quarter of the time of
// single lookups, in caches nine tenths or so.
func (f *Filter) ContainsKeys(keys [][]byte, hits []bool) {
	batches.CheckKeys(len(keys), hits)
	if f.isFar(len(keys)) {
		f.containsFarKeys(keys, hits)
		return
	}
	var hashes [group]Hash
	for len(keys) > 0 {
		n := min(group, len(keys))
		for i, key := range keys[:n] {
			hashes[i] = Sum(key)
		}
		f.containsGroup(hashes[:n], hits[:n])
		keys, hits = keys[n:], hits[n:]
	}
}

// ContainsHashes is ContainsKeys of keys by their hashes.
func (f *Filter) ContainsHashes(hashes []Hash, hits []bool) {
	batches.CheckKeys(len(hashes), hits)
	if f.isFar(len(hashes)) {
		f.containsFar(hashes, hits)
		return
	}
	for len(hashes) > 0 {
		n := min(group, len(hashes))
		f.containsGroup(hashes[:n], hits[:n])
		hashes, hits = hashes[n:], hits[n:]
	}
}

// containsFar is ContainsHashes in a far filter.
func (f *Filter) containsFar(hashes []Hash, hits []bool) {
	for len(hashes) > 0 {
		n := min(classic.Group, len(hashes))
		f.containsFarGroup(hashes[:n], hits[:n])
		hashes, hits = hashes[n:], hits[n:]
	}
}

// isFar reports whether lines are prefetched for the given number of keys: most are in no fast cache. A bitset that is
// shorter than m has no lines for some places.
func (f *Filter) isFar(keys int) bool {
	return keys >= fewestFar && asm.AreFarBits(len(f.data)) && uint64(len(f.data)-headerBytes)/classic.WordBytes >= classic.Words(f.m.M())
}

// containsFarKeys is ContainsKeys in a far filter. (The memory is that of this function alone, since it takes a while
// to be cleared.)
func (f *Filter) containsFarKeys(keys [][]byte, hits []bool) {
	var hashes [classic.Group]Hash
	for len(keys) > 0 {
		n := min(len(hashes), len(keys))
		for i, key := range keys[:n] {
			hashes[i] = Sum(key)
		}
		f.containsFarGroup(hashes[:n], hits[:n])
		keys, hits = keys[n:], hits[n:]
	}
}

// containsFarGroup looks up at most classic.Group hashes in a far filter.
func (f *Filter) containsFarGroup(hashes []Hash, hits []bool) {
	var lookup classic.Lookup
	array := classic.BitsOf(f.data[headerBytes:])
	for i := range hashes {
		lookup.Keys[i], hits[i] = uint8(i), false
	}
	lookup.Begin(&array, len(hashes))
	for probe := 0; probe < f.k && lookup.Next(); probe++ {
		for keys, at := lookup.Some(); len(keys) > 0; keys, at = lookup.Some() {
			for j, i := range keys {
				at[j] = f.m.Remainder(hashes[i].probe(probe)) ^ 8*f.flip
			}
			lookup.Ahead(at)
		}
	}
	for _, i := range lookup.Found() {
		hits[i] = true
	}
}

// containsGroup looks up at most a group of hashes. All take their first two probes, without branches on
// what these find, so that the processor has the loads of many keys under way. This ends it for three
// of four absent keys in a filter that is half full of ones.
//
// In ns a key (absent, half present, present; k = 7, Sapphire Rapids, noisy):
//
//	          one by one       this             two more probes of all that are left, and so on
//	16 KiB     9.4 14.8 11.5    7.1 11.4 13.4    5.7 13.5 21.5
//	32 MiB    25.3 40.7 39.3   18.0 30.2 38.4   21.3 50.0  128
func (f *Filter) containsGroup(hashes []Hash, hits []bool) {
	hits = hits[:len(hashes)]
	var left [group]uint8
	n := 0
	for i, hash := range hashes {
		hits[i] = false
		left[n%group] = uint8(i)
		n += int(f.first(hash) & 1)
	}
	for _, i := range left[:n] {
		hits[i] = f.containsFrom(hashes[i], 2)
	}
}

// first returns in bit 0 whether the first two probes find their bits, as far as there are two.
func (f *Filter) first(hash Hash) uint64 {
	found := uint64(1)
	if f.k > 0 {
		found = f.bit(hash.H0)
	}
	if f.k > 1 {
		found &= f.bit(hash.H1 + hash.H3)
	}
	return found
}

// AppendFilters appends to dst the index of every filter that may contain the key with the given hash, in
// ascending order, and returns the extended slice. It panics if a filter is nil. It
// allocates only if dst is too small. Any number of goroutines may look up in the same
// filters.
//
// It overlaps the filters' cache misses: in 16 filters and more it takes two thirds to four fifths of the
// time of ContainsHash in one after the other. For many keys call [Filter.ContainsHashes] of every
// filter.
func AppendFilters(dst []int, filters []*Filter, hash Hash) []int {
	for base := 0; base < len(filters); base += group {
		some := filters[base:min(base+group, len(filters))]
		word := uint64(0)
		for i := len(some) - 1; i >= 0; i-- {
			word = word<<1 | some[i].first(hash)&1
		}
		for ; word != 0; word &= word - 1 {
			i := bits.TrailingZeros64(word)
			if some[i].containsFrom(hash, 2) {
				dst = append(dst, base+i)
			}
		}
	}
	return dst
}
