// Package legacy builds and reads RocksDB's full Bloom filter of before format_version 5, bit
// for bit (LegacyLocalityBloomImpl in RocksDB's util/bloom_impl.h). Pebble writes it to this
// day: it is the filter in the tables of Pebble and CockroachDB. All of a key's bits are in one
// 64-byte line.
//
//	b, err := legacy.NewBuilder(10, keyhash.Hash{})
//	b.Add(key)               // ... every key
//	data, err := b.Finish()  // the bytes to store
//
//	f, err := legacy.Open(data, keyhash.Hash{})
//	f.Contains(key)
//
//	legacy.MayContain(data, key) // without opening: for a block cache
//
// Finish and [Open] are for engines that store raw bytes, and record format and key hash elsewhere.
//
// The format has a key hash of its own, of 32 bits, which the zero Hash stands for: [keyhash.RocksDB32]. So it has no
// false-positive rate below n/2^32 for n keys, and its rates are higher than package [bloom]'s at the same size: see
// [PredictedFPR]. For new filters use package bloom: it costs no more.
//
// LevelDB's filters have the same hash, or one that is almost the same, and are in package
// [leveldb]. [docs/rocksdb.md] is about both.
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [leveldb]: https://pkg.go.dev/github.com/simdbloom/simdbloom/leveldb
// [docs/rocksdb.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/rocksdb.md
package legacy

import (
	"cmp"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/legacy"
	"github.com/simdbloom/simdbloom/keyhash"
)

// WithPebble builds the same filters as Pebble's own writer where these differ from RocksDB's: five
// zero bytes without keys, one line and one probe at 0 bits per key, and no limit of 2^32 bits.
// With keys, and at 1 to 100 bits per key, the bytes are the same up to 512 MiB.
func WithPebble() simdbloom.Option {
	return func(o *building.Options) { o.Pebble = true; o.Given |= building.GivenPebble }
}

func init() {
	formats.Link(asm.Legacy, legacy.NewScheme, legacy.Read)
	formats.LinkRates(asm.Legacy, formats.RatesWithoutOptions(legacy.PredictedFPR, legacy.BitsPerKeyFor))
}

// NewBuilder returns an empty builder of filters with the given number of bits per key, which
// is rounded to a whole number as RocksDB rounds it: 0.5 to 1.499 count as 1, more than 100 as
// 100. Less than 0.5, NaN, infinities and an invalid option are errors. With [WithPebble], 0 is
// allowed, and more than 100 are built as asked for. The zero Hash stands for [keyhash.RocksDB32].
//
// Without keys the filter is an empty slice, as RocksDB writes none, or with [WithPebble] five
// zero bytes. [Open] accepts both.
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	return simdbloom.NewBuilder(simdbloom.Legacy, bitsPerKey, cmp.Or(hash, keyhash.RocksDB32), options...)
}

// Open returns the filter whose bytes are data, as [simdbloom.Open] does: data is not copied, and must neither
// change nor be freed while the filter is in use.
//
// Open reads the bytes as RocksDB
// (BuiltinFilterPolicy in table/block_based/filter_policy.cc), lines of other sizes than 64 bytes
// included: kinds that it does not know may contain every key. Filter.Format returns the kind. Where
// RocksDB would read out of bounds or say no for a truncated filter, the error wraps
// [simdbloom.ErrCorrupt]. A filter without lines, on which Pebble's reader panics, may contain every key.
//
// The zero Hash stands for [keyhash.RocksDB32].
func Open(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	return simdbloom.OpenLinked(simdbloom.Legacy, data, cmp.Or(hash, keyhash.RocksDB32))
}

// MayContain is [Open] and Contains in one call, without allocating, for keys with
// [keyhash.RocksDB32]. It answers true for bytes that Open refuses.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs the key's hash
// and a few nanoseconds if the line is cached, otherwise one cache miss. Any number of
// goroutines may call it at once.
func MayContain(data, key []byte) bool {
	if f, ok := asm.UsualLegacy(data); ok {
		return f.ContainsKey(key)
	}
	return unusualMayContain(data, keyhash.RocksDB32.Sum64(key))
}

// MayContainHash is MayContain of a key by its hash.
func MayContainHash(data []byte, hash uint64) bool {
	return asm.LegacyMayContain(data, hash, unusualMayContain)
}

// unusualMayContain looks a hash up in bytes that are not as builders write them.
func unusualMayContain(data []byte, hash uint64) bool {
	return contents.Reader(legacy.Read).MayContain(data, hash)
}

// KeysFor returns how many keys a filter of the given number of bytes, trailer included, has room
// for, or 0 for arguments that NewBuilder refuses. It costs microseconds at most.
//
// RocksDB sizes the partitions of a partitioned filter by it (ApproximateNumEntries in
// table/block_based/filter_policy.cc).
func KeysFor(bytes int, bitsPerKey float64) int {
	return legacy.KeysFor(bytes, bitsPerKey)
}
