// Package simdbloom has no code of its own. It is the map of a module of SIMD Bloom
// filters for Go storage engines.
//
// Filters, each with a Builder and a Filter:
//
//   - [github.com/simdbloom/simdbloom/bloom]: FastLocal, RocksDB's Bloom filter since
//     format_version 5. Every lookup reads one cache line.
//   - [github.com/simdbloom/simdbloom/paired]: Speedb's paired block Bloom filter. It has
//     fewer false positives in the same memory; present keys read two cache lines.
//
// Around them:
//
//   - [github.com/simdbloom/simdbloom/policy]: filters by the names that databases use,
//     such as "rocksdb.BloomFilter:10".
//   - [github.com/simdbloom/simdbloom/keyhash]: the hashes of keys, which a filter's
//     builder and its readers must share.
//   - [github.com/simdbloom/simdbloom/cpu]: the instruction set that the kernels use.
//
// Packages asm and fallback are parts of the library: the kernels, and the same in pure
// Go. Their API, and that of cpu, is not stable.
//
// Adapters for databases are modules of their own: adapters/pebble, adapters/pebblev1 and
// adapters/goleveldb. The command cmd/sstfilter shows which filter a table file has.
//
// Start with the example of package paired or bloom, or with the README:
// https://github.com/simdbloom/simdbloom.
package simdbloom
