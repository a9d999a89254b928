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
//	b, err := leveldb.NewBuilder(10, keyhash.Hash{})
//	b.Add(key)               // ... every key
//	data, err := b.Finish()
//
//	f, err := leveldb.Open(data, keyhash.Hash{})
//	f.Contains(key)
//
// Finish and [Open] are for engines that store raw bytes, and record format and key hash elsewhere.
//
// A table has a filter block: a filter for every 2 KiB of the file, for the keys of the data
// blocks that begin there. [OpenBlock] reads it.
//
// # Which hash
//
// The filters have a hash of their own, [keyhash.LevelDB32], which the zero Hash stands for. Before LevelDB 1.18 it
// was another one, which RocksDB kept, [keyhash.RocksDB32], or by its older name LevelDB32Signed. Both are the same
// for keys of ASCII bytes. The name of a table's filter tells which:
//
//	leveldb.BuiltinBloomFilter2   LevelDB since 1.18     LevelDB32
//	leveldb.BuiltinBloomFilter    goleveldb              LevelDB32
//	leveldb.BuiltinBloomFilter    LevelDB before 1.18    RocksDB32
//	rocksdb.BuiltinBloomFilter    RocksDB                RocksDB32
//
// If the writer is unknown, open the bytes with each: a key may be in the table if it is in either
// filter. See [docs/rocksdb.md].
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [docs/rocksdb.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/rocksdb.md
package leveldb

import (
	"cmp"
	"fmt"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/leveldb"
	"github.com/simdbloom/simdbloom/internal/hashing"
	"github.com/simdbloom/simdbloom/keyhash"
)

func init() {
	formats.Link(asm.LevelDB, leveldb.NewScheme, leveldb.Read)
	formats.LinkRates(asm.LevelDB, formats.RatesWithoutOptions(leveldb.PredictedFPR, leveldb.BitsPerKeyFor))
}

// NewBuilder returns an empty builder of filters with the given number of bits per key. They
// are rounded to a whole number, as RocksDB does: to thousandths first, then halves upwards.
// Less than 1 counts as 1. There is no upper limit, but no key has more than 30 probes, which 44
// bits per key have. Less than 0.5, NaN, infinities and an invalid option are errors. The zero Hash
// stands for [keyhash.LevelDB32].
//
// The builder keeps repeated keys, as LevelDB does. Without keys the filter has 9 bytes, as LevelDB's.
// The largest has 512 MiB: a hash of 32 bits reaches no bit beyond, and goleveldb reads no larger one.
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	return simdbloom.NewBuilder(simdbloom.LevelDB, bitsPerKey, cmp.Or(hash, keyhash.LevelDB32), options...)
}

// AppendFilter appends the filter that NewBuilder's Builder makes of the same hashes, and returns the
// extended slice. For a few dozen keys, as the filters of a filter block have, it is faster than a
// Builder. It allocates only if dst is too small. It panics if bitsPerKey is less than 1, or if the filter
// would be larger than 512 MiB.
func AppendFilter(dst []byte, bitsPerKey int, hashes []uint64) []byte {
	body := leveldb.BodyBytes(uint64(len(hashes)), int64(bitsPerKey))
	if bitsPerKey < 1 || body > leveldb.MostBodyBytes {
		panic(fmt.Sprintf("leveldb: a filter must have at least 1 bit per key and at most 512 MiB, not %d keys at %d bits per key", len(hashes), bitsPerKey))
	}
	return leveldb.AppendFilter(dst, body+leveldb.TrailerBytes, int64(bitsPerKey), hashes)
}

// Open returns the filter whose bytes are data, as [simdbloom.Open] does: data is not copied, and must neither
// change nor be freed while the filter is in use.
//
// Open reads the bytes as LevelDB
// (BloomFilterPolicy in util/bloom.cc): zero bytes contain no key, as the filters of a block without
// keys, and a filter of more than 30 probes, or of none, may contain every key. A single byte is a filter
// that was cut off: for LevelDB it contains no key, but here it is an error that wraps
// [simdbloom.ErrCorrupt]. The zero Hash stands for [keyhash.LevelDB32].
//
// Beyond the caches a lookup costs a cache miss for each probe: about two for an absent key, NumProbes
// for a present one.
func Open(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	return simdbloom.OpenLinked(simdbloom.LevelDB, data, cmp.Or(hash, keyhash.LevelDB32))
}

// MayContain is [Open] and Contains in one call, without allocating, for keys with
// [keyhash.LevelDB32]. It answers true for bytes that Open refuses: here a single byte is such, while
// LevelDB answers "no". It costs little more than Contains. Any number of goroutines may call it at once.
func MayContain(data, key []byte) bool {
	// MayContainHash(data, hashing.Unsigned32(key)), with everything inlined for usual keys and filters: each
	// call takes half a nanosecond.
	body, probes := leveldb.Body(data)
	if body == nil {
		return len(data) > 0
	}
	hash, rest := hashing.Words32(key)
	if len(rest) > 0 {
		hash = hashing.UnsignedRest32(hash, rest)
	}
	if len(body) < fallback.LevelDBNear {
		return fallback.LevelDBContainsNear(body, probes, uint64(hash))
	}
	return fallback.LevelDBContainsOnce(body, probes, uint64(hash))
}

// MayContainHash is MayContain of a key by its hash, whichever the filter was built with.
func MayContainHash(data []byte, hash uint64) bool {
	body, probes := leveldb.Body(data)
	if body == nil {
		return len(data) > 0
	}
	return fallback.LevelDBContainsOnce(body, probes, hash)
}

// KeysFor returns how many keys a filter of the given number of bytes, trailer included, has room
// for, or 0 for arguments that NewBuilder refuses. It costs microseconds at most.
func KeysFor(bytes int, bitsPerKey float64) int {
	return leveldb.KeysFor(bytes, bitsPerKey)
}
