// Package splitblock builds and reads Parquet's split-block Bloom filter, bit for bit (BloomFilter.md of
// apache/parquet-format). Milvus's membership_match takes it, too: see the example. A key has eight bits, one in each
// word of a 32-byte block, so a lookup costs at most one cache miss.
//
// Its false-positive rate is 1 in 79 at 10 bits per key and 1 in 1,000 at 16.9, where package [bloom] needs
// 15.6. See [PredictedFPR]. Use it for Parquet's files and others of this format.
//
//	b, err := splitblock.NewBuilder(10.5, keyhash.XX64)
//	b.Add(key)               // ... every value of a column, in its plain encoding
//	data, err := b.Finish()  // the bits, without a header
//
// # Parquet
//
// The bytes follow a file's BloomFilterHeader, which [ReadHeader] and [AppendHeader] read and write.
// Parquet's hash is [keyhash.XX64] of a value's plain encoding: 4 or 8 little-endian bytes of numbers, and of
// strings and byte arrays their bytes, without the length before them. Most writers choose [SizeFor] bytes.
// Files hold filters of less than 2 GiB.
//
// # Raw bytes
//
// A filter has no trailer and no checksum. [Open] accepts any multiple of 32 bytes: it cannot tell a filter
// from other bytes, nor a truncated filter from a smaller one.
// MarshalBinary and package filterfile record the format and check every byte.
//
// # Shards
//
// If you choose shards by the hash that keys are added with, do not use its top bits: they choose the filter's block.
// With 1,024 such shards, each shard's filter answers "may contain" for every key. [docs/accuracy.md] has the rates of
// other rules.
//
// # Filters that accept keys
//
// [NewMutable]'s filter accepts keys and lookups at any time, and [NewConcurrent]'s does so for any number of
// goroutines at once. If nobody knows how many keys will come, make a Mutable for the most, and let
// FoldTo of [simdbloom.Mutable] halve it afterwards: the result is, bit for bit, the filter that would have
// been built in that size.
//
// [docs/accuracy.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/accuracy.md#when-the-hash-was-used-before
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
package splitblock

import (
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/splitblock"
	"github.com/simdbloom/simdbloom/keyhash"
)

func init() {
	formats.Link(asm.SplitBlock, splitblock.NewScheme, splitblock.Read)
	formats.LinkRates(asm.SplitBlock, formats.RatesOf(&splitblock.Layout, splitblock.PredictedFPR))
}

// NewBuilder returns an empty builder of filters with the given number of bits
// per key, rounded up to blocks of 32 bytes, for keys hashed with hash: [keyhash.XX64] for Parquet. Bits per
// key count in thousandths. Less than 1 counts as 1, more than 100 as 100. Less than 0.5, NaN, infinities,
// the zero Hash and an invalid option are errors.
//
// With [simdbloom.WithSizeBytes] the size is exact, for example [SizeFor].
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	return simdbloom.NewBuilder(simdbloom.SplitBlock, bitsPerKey, hash, options...)
}

// NewMutable returns a filter without keys that accepts keys and lookups, of the size that [NewBuilder] chooses
// for the given number of keys at the given bits per key: at least one block of 32 bytes. 0 keys count as 1.
//
// More keys than that may be added. All are found, and the false-positive rate rises: see Full of
// [simdbloom.Mutable].
//
// [simdbloom.WithSizeBytes] makes it exactly so large, whatever the number of keys, and [simdbloom.WithMaxBytes] no
// larger: the number of probes then suits that number of keys. It has no other options.
//
// The same arguments as of NewBuilder are errors, and so is a number of keys below 0. The
// error wraps [simdbloom.ErrTooLarge] if the keys need more than 4 GiB, or than a slice can have on this
// machine, and has the number of keys that fit.
func NewMutable(keys int, bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Mutable, error) {
	return simdbloom.NewMutable(simdbloom.SplitBlock, keys, bitsPerKey, hash, options...)
}

// NewConcurrent is [NewMutable] of a filter that any number of goroutines may add to and query at once.
func NewConcurrent(keys int, bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Concurrent, error) {
	return simdbloom.NewConcurrent(simdbloom.SplitBlock, keys, bitsPerKey, hash, options...)
}

// Open returns the filter whose bytes are data, as [simdbloom.Open] does: data is not copied, and must neither
// change nor be freed while the filter is in use.
//
// The bytes are whole blocks of 32 bytes, any number up to 4 GiB. Zero bytes contain no key. The error wraps
// [simdbloom.ErrCorrupt] for other lengths.
//
// That is all that Open can tell: the format has nothing beside its bits. Bytes of another format may contain
// some keys and not others.
func Open(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	return simdbloom.OpenLinked(simdbloom.SplitBlock, data, hash)
}

// MayContainHash is [Open] and ContainsHash in one call, without allocating. It
// answers true for bytes that Open refuses.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It costs a few nanoseconds if the line
// is cached, otherwise one cache miss. Any number of goroutines may call it at once.
func MayContainHash(data []byte, hash uint64) bool {
	return asm.SplitBlockMayContain(data, hash)
}

// KeysFor returns how many keys a filter of the given number of bytes has room for, or 0 for arguments that
// NewBuilder refuses. It costs microseconds at most.
func KeysFor(bytes int, bitsPerKey float64) int {
	return splitblock.Layout.Keys(bytes, bitsPerKey)
}

// SizeFor returns the number of bytes that Arrow's writers in C++, Go and Java choose for n keys and a
// wanted false-positive rate: a power of two, at least 32, and at most 128 MiB, the most that they read. It
// is 0 if fpr is NaN.
//
// Powers of two are only their custom. [BitsPerKeyFor] is exact, and needs up to half of that.
func SizeFor(n int, fpr float64) int {
	const most = 128 << 20
	size := 8 * float64(max(n, 0)) / math.Abs(math.Log(1-math.Pow(max(fpr, 0), 1./splitblock.NumProbes))) // bits
	switch {
	case math.IsNaN(fpr):
		return 0
	case !(size < 8*most):
		return most
	case size < 8*splitblock.LeastBytes:
		return splitblock.LeastBytes
	}
	return 1 << bits.Len(uint(size)-1) / 8
}
