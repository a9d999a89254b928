// Package simdbloom is the overview of a module: the filters of RocksDB, Speedb, Pebble and
// LevelDB, byte for byte, and one of our own, with SIMD kernels, for Go storage engines. It
// has no code of its own.
//
// A filter tells whether a key may be in a set, such as a table of an LSM tree. "No" is
// always right, and saves reading the table. These packages have one filter each, with a
// Builder and a Filter:
//
//   - [github.com/simdbloom/simdbloom/bloom]: FastLocal, RocksDB's Bloom filter since
//     format_version 5. Every lookup reads one cache line. Its Mutable and Concurrent take
//     keys while they are queried.
//   - [github.com/simdbloom/simdbloom/paired]: Speedb's paired block Bloom filter. It has
//     fewer false positives in the same memory; present keys read two cache lines.
//   - [github.com/simdbloom/simdbloom/linear]: a filter of our own that takes less memory
//     than Bloom filters, and all of its keys at once. Most lookups read one cache line.
//   - [github.com/simdbloom/simdbloom/ribbon]: RocksDB's Ribbon filter, which needs two thirds
//     of FastLocal's memory, and more time for lookups and building.
//   - [github.com/simdbloom/simdbloom/legacy]: RocksDB's Bloom filter before format_version 5,
//     which Pebble writes to this day. Every lookup reads one cache line.
//   - [github.com/simdbloom/simdbloom/leveldb]: LevelDB's filter and filter block, for tables
//     that exist. They have a hash of their own, of 32 bits.
//
// Around them:
//
//   - [github.com/simdbloom/simdbloom/policy]: filters by the names that databases use,
//     such as "rocksdb.BloomFilter:10".
//   - [github.com/simdbloom/simdbloom/filterblock]: a sorted table's filter as RocksDB stores it:
//     of keys and prefixes, in partitions with an index, with statistics.
//   - [github.com/simdbloom/simdbloom/filterfile]: one filter in one file, or in a stream or
//     a value that gob encodes, which says what it is and checks every byte.
//   - [github.com/simdbloom/simdbloom/keyhash]: the hashes of keys, which a filter's
//     builder and its readers must share.
//   - [github.com/simdbloom/simdbloom/cpu]: the instruction set that the kernels use.
//
// Packages asm and fallback are parts of the library: the kernels, and the same in pure
// Go. Their API, and that of cpu, is not stable.
//
// Separate modules have adapters for databases, table files, and a command:
//
//   - [github.com/simdbloom/simdbloom/adapters/pebble], for Pebble v2
//   - [github.com/simdbloom/simdbloom/adapters/pebblev1], for Pebble v1
//   - [github.com/simdbloom/simdbloom/adapters/goleveldb], for goleveldb
//   - [github.com/simdbloom/simdbloom/table], which reads the filters of table files of
//     RocksDB, Speedb, Pebble and LevelDB
//   - [github.com/simdbloom/simdbloom/cmd/sstfilter], which shows the filters of table
//     files, and looks up keys in them
//
// Start with the example of package paired or bloom, or with the README:
// https://github.com/simdbloom/simdbloom.
package simdbloom
