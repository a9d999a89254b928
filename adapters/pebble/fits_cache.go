package pebble

import "runtime"

// FitsCache reports whether the block cache of a store keeps a filter of filterBytes once it was
// read. One that does not fit is read again for every lookup, which makes lookups slower than
// without filters. A filter has keys × bits per key / 8 bytes.
//
// cacheBytes is Options.CacheSize or the size of Options.Cache, and memTableBytes is
// Options.MemTableSize. Pebble (v2.1.7) subtracts the memory of memtables from the cache, up to two of
// MemTableSize, and divides the rest into 4 × GOMAXPROCS shards, or 4 if a shard of the whole
// cache would have less than 4 MiB. It does not keep a block that is larger than a shard, with 341
// bytes of its own. So a filter fits if
//
//	filterBytes + 341 ≤ (cacheBytes - 2 × memTableBytes) / shards
//
// By this rule Pebble's defaults, 8 MiB and 4 MiB, keep no filter at all once memtables are as
// large as they become. All filters that are in use must fit together, too, and so must
// indexes. Stores that share a cache take off their memtables each.
func FitsCache(filterBytes, cacheBytes, memTableBytes int64) bool {
	const leastShard, ofBlock = 4 << 20, 341
	shards := 4 * int64(runtime.GOMAXPROCS(0))
	if cacheBytes/shards < leastShard {
		shards = 4
	}
	return filterBytes+ofBlock <= (cacheBytes-2*memTableBytes)/shards
}
