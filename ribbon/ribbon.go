// Package ribbon builds and reads RocksDB's Ribbon filter, Standard128Ribbon, bit for bit
// (util/ribbon_impl.h; RocksDB has it since 6.15). It has the false-positive rate of package
// [bloom]'s filter in three fifths to three quarters of the memory. With half a million keys or more, Builder.AddKeys
// and Finish need four to seven times as long as package bloom's of the same rate, Contains up to twice, and
// ContainsKeys two to seven times.
//
// Bits per key are a setting, which gives the rate of a Bloom filter with that many, as in RocksDB's policy
// "ribbonfilter:10": the filter itself has about 7.1 bits per key for 10, and 15 for 23.4.
//
// A filter answers "may contain" or "does not contain". The second is always
// true. The first has a false-positive rate of 1 in 105 at 10 bits per key, and of 1
// in 20,000 at 23.4. See [PredictedFPR].
//
//	b, err := ribbon.NewBuilder(10, keyhash.XX64)
//	b.Add(key)                     // ... every key
//	f, err := b.Filter()
//	f.Contains(key)
//	data, err := f.MarshalBinary() // to store: with format, key hash and checksums
//
// Finish and [Open] are for engines that store raw bytes, and record format and key hash elsewhere.
//
// Of few keys, RocksDB builds a FastLocal filter where that is smaller, and so does this package:
// the bytes are those that package bloom writes. [Open] reads both.
//
// Package [linear] has a filter of about the same size, which no other program reads. [docs/choosing.md]
// compares them.
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [linear]: https://pkg.go.dev/github.com/simdbloom/simdbloom/linear
// [docs/choosing.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/choosing.md
package ribbon

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/ribbon"
	"github.com/simdbloom/simdbloom/keyhash"
)

func init() {
	formats.Link(asm.Ribbon, ribbon.NewScheme, ribbon.Read)
	formats.LinkRates(asm.Ribbon, formats.RatesWithoutOptions(ribbon.PredictedFPR, ribbon.BitsPerKeyFor))
}

// NewBuilder returns an empty builder of filters with the rate of a Bloom filter of the given
// number of bits per key, for keys hashed with hash. Less than 1 counts as 1, more than 100 as
// 100. Less than 0.5, NaN, infinities, the zero Hash and an invalid option are errors.
//
// Filters for RocksDB need [keyhash.XXPH3]. With [simdbloom.WithMaxBytes], one that does not fit has the
// columns that the limit allows, as RocksDB's option optimize_filters_for_memory makes them.
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	return simdbloom.NewBuilder(simdbloom.Ribbon, bitsPerKey, hash, options...)
}

// Open returns the filter whose bytes are data, as [simdbloom.Open] does: data is not copied, and must neither
// change nor be freed while the filter is in use.
//
// Open reads the bytes as RocksDB
// (BuiltinFilterPolicy in table/block_based/filter_policy.cc): Ribbon and FastLocal filters are looked up,
// zero bytes contain no key, and kinds that it does not know may contain every key. Filter.Format returns
// the kind. Where RocksDB would say no for a truncated filter, and for a Ribbon filter that is not whole
// segments of 16 bytes, at least one, the error wraps [simdbloom.ErrCorrupt].
//
// Filters of RocksDB's files have [keyhash.XXPH3].
func Open(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	return simdbloom.OpenLinked(simdbloom.Ribbon, data, hash)
}

// MayContainHash is [Open] and ContainsHash in one call, without allocating: it reads FastLocal filters, too. It
// answers true for bytes that Open refuses. Any number of goroutines may call it at once.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs a few nanoseconds more than
// ContainsHash.
func MayContainHash(data []byte, hash uint64) bool {
	return asm.RibbonMayContain(data, hash, asm.FastLocalMayContain)
}

// KeysFor returns how many keys a filter of the given number of bytes, trailer included, has room
// for, or 0 for arguments that NewBuilder refuses. It costs microseconds at most.
//
// RocksDB sizes the partitions of a partitioned filter by it (ApproximateNumEntries in
// table/block_based/filter_policy.cc). It is an estimate: a filter of that many
// keys may be a few bytes larger.
func KeysFor(bytes int, bitsPerKey float64) int {
	return ribbon.KeysFor(bytes, bitsPerKey)
}
