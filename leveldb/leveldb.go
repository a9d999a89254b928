// Package leveldb builds and reads LevelDB's Bloom filter and its filter block, bit for bit
// (LevelDB's util/bloom.cc and table/filter_block.cc). goleveldb writes the same bytes, and
// RocksDB did with its block-based filter, which ended with 7.4.
//
// Use it for tables that exist. For new ones, package [bloom] is faster and more accurate: a
// LevelDB filter's bits are anywhere in its bytes, so a present key costs a cache miss for
// each, and a key's hash has 32 bits only, so the false-positive rate is never below one in
// 2^32 for each key in the filter.
//
// A filter of its own:
//
//	b, err := leveldb.NewBuilder(10)
//	b.Add(key)               // ... every key
//	data, err := b.Finish()
//
//	f, err := leveldb.Open(data)
//	f.Contains(key)
//
// A table has a filter block: a filter for every 2 KiB of the file, for the keys of the data
// blocks that begin there. [BlockBuilder] writes it, [OpenBlock] reads it.
//
// # Which hash
//
// The filters have a hash of their own, [Hash]. Before LevelDB 1.18 it was another one,
// [SignedHash], which RocksDB kept. Both are the same for keys of ASCII bytes. The name of a
// table's filter says which it is:
//
//	leveldb.BuiltinBloomFilter2   LevelDB since 1.18     Hash
//	leveldb.BuiltinBloomFilter    goleveldb              Hash
//	leveldb.BuiltinBloomFilter    LevelDB before 1.18    SignedHash
//	rocksdb.BuiltinBloomFilter    RocksDB                SignedHash
//
// If the writer is unknown, [WithEitherHash] reads both. [docs/legacy.md] says more.
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [docs/legacy.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/legacy.md
package leveldb

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hash32"
)

var (
	// ErrCorrupt is wrapped by every error about a filter's bytes. It is the same
	// value in all packages of filters.
	ErrCorrupt = answers.ErrCorrupt

	// ErrTooLarge is wrapped by Finish's error if the keys need more than 512 MiB, or more
	// bytes than a slice can have on this machine. A hash of 32 bits reaches no bit beyond,
	// and goleveldb, which counts the bits in 32 bits, reads no larger filter. LevelDB has
	// no such limit.
	ErrTooLarge = building.ErrTooLarge

	// ErrVerification is wrapped by Finish's error if [WithVerification] found that
	// the filter lacks a key that was added.
	ErrVerification = building.ErrVerification
)

// Hash returns the hash of a key in filters of LevelDB since 1.18 and of goleveldb (LevelDB's
// util/hash.cc). It takes one or two nanoseconds for four bytes.
func Hash(key []byte) uint32 { return hash32.Unsigned(key) }

// SignedHash returns the hash of a key in RocksDB's filters, and in those of LevelDB before
// 1.18 (RocksDB's util/hash.cc). It differs from [Hash] if one of the last len(key)%4 bytes is
// above 0x7f. It takes one or two nanoseconds for four bytes.
func SignedHash(key []byte) uint32 { return hash32.Signed(key) }

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("leveldb: %w", err)
}
