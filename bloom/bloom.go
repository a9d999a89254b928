// Package bloom builds and reads RocksDB's FastLocal Bloom filter, bit for bit
// (util/bloom_impl.h, FastLocalBloomImpl; RocksDB writes it since format_version
// 5). All of a key's bits are in one 64-byte line of memory, so a lookup costs
// at most one cache miss.
//
// A filter answers "may contain" or "does not contain". The second is always
// true. The first has a false-positive rate of 1 in 103 at 10 bits per key, and of 1
// in 15,600 at 23.4. See [PredictedFPR].
//
//	b, err := bloom.NewBuilder(10, keyhash.XX64)
//	b.Add(key)                     // ... every key
//	f, err := b.Filter()
//	f.Contains(key)
//	data, err := f.MarshalBinary() // to store: with format, key hash and checksums
//
// Finish and [Open] are for engines that store raw bytes, and record format and key hash elsewhere.
//
// # Filters that accept keys
//
// [NewMutable]'s filter accepts keys and lookups at any time; [NewConcurrent]'s does so for any number
// of goroutines at once. Their bytes are the same filter's at every moment.
//
//	m, err := bloom.NewMutableForFPR(1_000_000, 0.01, keyhash.XX64) // room for a million keys
//	isNew := m.AddIfAbsent(key)
//	m.Contains(key)
//
// MarshalBinary stores either. UnmarshalBinary of a zero [simdbloom.Mutable] or [simdbloom.Concurrent] opens a stored
// one, to which more keys can be added; raw bytes are opened by [simdbloom.OpenMutable] or [simdbloom.OpenConcurrent].
//
// Their size is fixed. More keys than expected only raise the false-positive rate: PredictedFPR of the
// filter computes it, EstimatedFPR and Full tell it from the bits. [PredictedFPR] with [simdbloom.WithMaxBytes] is
// lower: it is the rate of a filter that is built for that many keys in the same bytes, with fewer probes.
// [docs/choosing.md] explains what to do if nobody knows how many keys will come.
//
// # Other filters
//
// Package [paired] trades a slower lookup for fewer false positives in the same
// memory: 1.6 times fewer at 16 bits per key, 3.9 times at 23.4.
//
// Packages [linear] and [ribbon] have filters that need less memory for the same rate. They take
// more time to build, and mostly to look up. RocksDB reads the filters of package ribbon.
//
// # Shards
//
// If you choose shards by the hash that keys are added with, do not use the top bits of its lower half: they choose the
// filter's line. With 1,024 such shards, each shard's filter answers "may contain" for every key. [docs/accuracy.md]
// has the rates of other rules.
//
// Measured times are in [docs/measured.md].
//
// [docs/accuracy.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/accuracy.md#when-the-hash-was-used-before
// [linear]: https://pkg.go.dev/github.com/simdbloom/simdbloom/linear
// [paired]: https://pkg.go.dev/github.com/simdbloom/simdbloom/paired
// [ribbon]: https://pkg.go.dev/github.com/simdbloom/simdbloom/ribbon
// [docs/choosing.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/choosing.md
// [docs/measured.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/measured.md
package bloom

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/fastlocal"
	"github.com/simdbloom/simdbloom/keyhash"
)

func init() {
	formats.Link(asm.FastLocal, fastlocal.NewScheme, fastlocal.Read)
	formats.LinkRates(asm.FastLocal, formats.RatesOf(&fastlocal.Layout, fastlocal.PredictedFPR))
}

// NewBuilder returns an empty builder of filters with the given number of bits
// per key, for keys hashed with hash. Bits per key count in thousandths, as RocksDB
// and Speedb round them. Less than 1 counts as 1, more than 100 as 100. Less than
// 0.5, NaN, infinities, the zero Hash and an invalid option are errors.
//
// Filters for RocksDB need [keyhash.XXPH3]. NewBuilder(100, hash, WithMaxBytes(n)) fills n bytes, unless
// 100 bits per key need fewer.
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	return simdbloom.NewBuilder(simdbloom.FastLocal, bitsPerKey, hash, options...)
}

// NewMutable returns a filter without keys that accepts keys and lookups, of the size and the number of
// probes that [NewBuilder] chooses for the given number of keys at the given bits per key: at least one
// block of 64 bytes. 0 keys count as 1.
//
// More keys than that may be added. All are found, and the false-positive rate rises: see Full of
// [simdbloom.Mutable].
//
// [simdbloom.WithSizeBytes] makes it exactly so large, whatever the number of keys, and [simdbloom.WithMaxBytes] no
// larger: the number of probes then suits that number of keys. It has no other options.
//
// The same arguments as of NewBuilder are errors, and so is a number of keys below 0. The
// error wraps [simdbloom.ErrTooLarge] if the keys need more bytes than the format's 4 GiB, or than a
// slice can have on this machine, and has the number of keys that fit.
func NewMutable(keys int, bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Mutable, error) {
	return simdbloom.NewMutable(simdbloom.FastLocal, keys, bitsPerKey, hash, options...)
}

// NewMutableForFPR is [NewMutable] with the bits per key at which that number of keys has the given
// false-positive rate, from [BitsPerKeyFor], which describes how much a single filter's rate differs.
//
// It is an error if fpr is not between 0 and 1, and if no filter of that many keys has the rate. It costs a
// millisecond or two more than NewMutable.
func NewMutableForFPR(keys int, fpr float64, hash keyhash.Hash) (*simdbloom.Mutable, error) {
	bitsPerKey, err := bitsPerKeyForFPR(keys, fpr)
	if err != nil {
		return nil, err
	}
	return NewMutable(keys, bitsPerKey, hash)
}

// NewConcurrent is [NewMutable] of a filter that any number of goroutines may add to and query at once.
func NewConcurrent(keys int, bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Concurrent, error) {
	return simdbloom.NewConcurrent(simdbloom.FastLocal, keys, bitsPerKey, hash, options...)
}

// NewConcurrentForFPR is [NewMutableForFPR] of a filter that any number of goroutines may add to and query at
// once.
func NewConcurrentForFPR(keys int, fpr float64, hash keyhash.Hash) (*simdbloom.Concurrent, error) {
	bitsPerKey, err := bitsPerKeyForFPR(keys, fpr)
	if err != nil {
		return nil, err
	}
	return NewConcurrent(keys, bitsPerKey, hash)
}

// Open returns the filter whose bytes are data, as [simdbloom.Open] does: data is not copied, and must neither
// change nor be freed while the filter is in use.
//
// Open reads the bytes as RocksDB
// (BuiltinFilterPolicy in table/block_based/filter_policy.cc): zero bytes contain no key, and kinds that
// it does not know may contain every key. Filter.Format returns the kind. Where RocksDB would read out
// of bounds or say no for a truncated filter, the error wraps [simdbloom.ErrCorrupt].
//
// Filters of RocksDB's files have [keyhash.XXPH3].
func Open(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	return simdbloom.OpenLinked(simdbloom.FastLocal, data, hash)
}

// MayContainHash is [Open] and ContainsHash in one call, without allocating. It
// answers true for bytes that Open refuses.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs little
// more than ContainsHash: a few nanoseconds if the line is cached, otherwise one cache
// miss. Any number of goroutines may call it at once.
func MayContainHash(data []byte, hash uint64) bool {
	return asm.FastLocalMayContain(data, hash)
}

// KeysFor returns how many keys a filter of the given number of bytes, trailer included, has room
// for, or 0 for arguments that NewBuilder refuses. It costs microseconds at most.
//
// RocksDB sizes the partitions of a partitioned filter by it (ApproximateNumEntries in
// table/block_based/filter_policy.cc).
func KeysFor(bytes int, bitsPerKey float64) int {
	return fastlocal.Layout.Keys(bytes, bitsPerKey)
}
