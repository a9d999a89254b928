// Package blobloom builds and reads the filters of the Go module [github.com/greatroar/blobloom], bit for bit: its
// dumps, and those that Milvus stores for its segments, in JSON and in binary statistics. All of a key's bits are in
// one 64-byte line of memory, so a lookup costs at most one cache miss.
//
// Use it for existing filters, and for filters that such a program reads. For new ones, package [bloom] has a lookup
// as fast and fewer false positives, because here a key's bits come from only 18 bits of its hash. That adds to the
// rate at many bits per key: 1 in 103 there and 1 in 100 here at 10 bits per key, 1 in 5,100 and 1 in 3,200 at 20,
// and 1 in 107,000 and 1 in 13,000 at 30.
//
//	hash := keyhash.New("XXH3", xxh3.Hash)      // the hash that the program adds keys by
//	f, err := blobloom.Open(dump, hash)         // a dump of blobloom.Dump, not copied
//	f, err = blobloom.OpenJSON(text, hash)      // Milvus's {"k":8,"b":["..."]}
//	f, err = blobloom.OpenBlocks(blocks, k, hash) // blocks without a header, as in Milvus's mpkstats
//	f.Contains(key)
//
// # The hash
//
// The module accepts hashes, not keys, and its bytes do not record the hash function (a comment may). Milvus has XXH3
// of a key, and of an int64 as 8 little-endian bytes. A function of your own becomes a Hash by [keyhash.New].
//
// If you choose shards by the hash that keys are added with, use neither the top bits of its lower half, which choose
// the filter's line, nor its low bits, which choose a key's bits.
//
// # The bytes
//
// A dump is a header of 64 bytes and the blocks, 64 bytes each: the bytes that [Open] reads and builders write.
// [OpenBlocks] copies blocks behind a header. The module's k counts one probe more than there are: NumProbes is k-1.
// From k = 1,025 on, probes look at the same bits again, and NumProbes is 1,024. Kernels are for k up to 31. With
// more, lookups and adding are in pure Go, and take up to a few microseconds.
//
// The header has no checksum. MarshalBinary and package filterfile check every byte, and record the hash's name.
//
// # Filters that accept keys
//
// [NewMutable]'s filter accepts keys and lookups at any time, and [NewConcurrent]'s does so for any number of
// goroutines at once, as the module's Filter and SyncFilter do. [New] has a size and k that the module's Optimize, for
// example, chose. simdbloom.OpenMutable adds keys to a dump.
//
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [github.com/greatroar/blobloom]: https://pkg.go.dev/github.com/greatroar/blobloom
package blobloom

import (
	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/blobloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

func init() {
	formats.Link(asm.Blobloom, blobloom.NewScheme, blobloom.Read)
	formats.LinkRates(asm.Blobloom, formats.RatesOf(&blobloom.Layout, blobloom.PredictedFPR))
}

// NewBuilder returns an empty builder of dumps with the given number of bits per key, rounded up to blocks of 64
// bytes behind the header, for keys hashed with hash. Bits per key count in thousandths. Less than 1 counts as 1,
// more than 100 as 100. Less than 0.5, NaN, infinities, the zero Hash and an invalid option are errors.
//
// The number of probes is the one that package bloom has for these bits per key. With [simdbloom.WithSizeBytes] the
// size is exact: 64 more than a multiple of 64. The header's comment, 44 bytes from byte 20 on, is zeros: set it
// before you store the bytes if a reader looks at it.
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	return simdbloom.NewBuilder(simdbloom.Blobloom, bitsPerKey, hash, options...)
}

// NewMutable returns a filter without keys that accepts keys and lookups, of the size and the number of probes that
// [NewBuilder] chooses for the given number of keys at the given bits per key: at least one block. 0 keys count as 1.
//
// More keys than that may be added. All are found, and the false-positive rate rises: see Full of
// [simdbloom.Mutable].
//
// [simdbloom.WithSizeBytes] makes it exactly so large, whatever the number of keys, and [simdbloom.WithMaxBytes] no
// larger: the number of probes then suits that number of keys. It has no other options.
//
// The same arguments as of NewBuilder are errors, and so is a number of keys below 0. The error wraps
// [simdbloom.ErrTooLarge] if the keys need 4 GiB or more, or more than a slice can have on this machine, and
// has the number of keys that fit.
func NewMutable(keys int, bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Mutable, error) {
	return simdbloom.NewMutable(simdbloom.Blobloom, keys, bitsPerKey, hash, options...)
}

// NewConcurrent is [NewMutable] of a filter that any number of goroutines may add to and query at once.
func NewConcurrent(keys int, bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Concurrent, error) {
	return simdbloom.NewConcurrent(simdbloom.Blobloom, keys, bitsPerKey, hash, options...)
}

// Open returns the filter whose bytes are data, as [simdbloom.Open] does: data is not copied, and must neither
// change nor be freed while the filter is in use.
//
// The bytes are a dump that the module's Dump wrote, and nothing behind it. Zero bytes contain no key. The error wraps
// [simdbloom.ErrCorrupt] for bytes that the module's Loader refuses, for another length than the header's, and for
// 4 GiB of blocks or more, which only the module reads.
//
// Lookups are fastest if data begins at a multiple of 64: see CopyAligned of [simdbloom.Filter].
func Open(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	return simdbloom.OpenLinked(simdbloom.Blobloom, data, hash)
}

// MayContainHash is [Open] and ContainsHash in one call, without allocating. It answers true for bytes that Open
// refuses.
//
// Use it where every lookup finds the bytes anew, as in a block cache. It is in pure Go, and costs
// tens of nanoseconds if the line is cached. Any number of goroutines may call it at once.
func MayContainHash(data []byte, hash uint64) bool {
	probes, flaw := blobloom.ReadHeader(data, uint64(len(data)))
	if flaw != "" {
		return len(data) > 0
	}
	return fallback.BlobloomContains(data[blobloom.HeaderBytes:], probes, hash)
}

// KeysFor returns how many keys a filter of the given number of bytes, header included, has room for, or 0 for
// arguments that NewBuilder refuses. It costs microseconds at most.
func KeysFor(bytes int, bitsPerKey float64) int {
	return blobloom.Layout.Keys(bytes, bitsPerKey)
}
