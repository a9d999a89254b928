package redisbloom

import (
	"runtime"

	"github.com/simdbloom/simdbloom/internal/batches"
	"github.com/simdbloom/simdbloom/internal/classic"
)

// ContainsKeys is Contains of many keys: hits[i] is the answer for keys[i]. It panics if there are fewer
// hits than keys. It overlaps the cache misses of many keys.
func (f *Filter) ContainsKeys(keys [][]byte, hits []bool) {
	batches.CheckKeys(len(keys), hits)
	for len(keys) > 0 {
		n := min(classic.Group, len(keys))
		f.containsGroup(keys[:n], hits[:n])
		keys, hits = keys[n:], hits[n:]
	}
	runtime.KeepAlive(f)
}

// containsGroup looks up at most a group of keys, in one link after the other those that no newer one has.
func (f *Filter) containsGroup(keys [][]byte, hits []bool) {
	var sums [classic.Group]hash
	for i, key := range keys {
		sums[i], hits[i] = f.sum(key), false
	}
	for i := len(f.links) - 1; i >= 0; i-- {
		f.links[i].containsGroup(sums[:len(keys)], hits)
	}
}

// containsGroup sets the hits of hashes whose bits the link has.
func (l *link) containsGroup(sums []hash, hits []bool) {
	var lookup classic.Lookup
	n := 0
	for i, hit := range hits {
		if !hit {
			lookup.Keys[n] = uint8(i)
			n++
		}
	}
	if l.wraps {
		for _, i := range lookup.Keys[:n] {
			hits[i] = l.contains(sums[i])
		}
		return
	}
	lookup.Begin(&l.array, n)
	for probe := uint64(0); probe < uint64(l.Probes) && lookup.Next(); probe++ {
		for keys, at := lookup.Some(); len(keys) > 0; keys, at = lookup.Some() {
			for j, i := range keys {
				at[j] = l.m.Remainder(sums[i].at + probe*sums[i].step)
			}
			lookup.Ahead(at)
		}
	}
	for _, i := range lookup.Found() {
		hits[i] = true
	}
}
