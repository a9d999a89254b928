// Package paired builds and reads Speedb's paired block Bloom filter, bit for
// bit (plugin/speedb/paired_filter in Speedb's source).
//
// Like package [bloom]'s filter it consists of 64-byte lines, but half of a key's
// bits are in its own line and half in the line that this one is paired with.
// Lines are paired within batches, the fullest with the emptiest. Full lines, which
// have most of a cache-line filter's false positives, are thus evened out. At 23.4 bits
// per key the false-positive rate is 1 in about 60,000, where package bloom has 1 in
// 15,600. For an absent key, a lookup almost always reads one line; for a present one,
// two. With AVX2 or AVX-512, one key always reads both in an opened filter of up to half the second-level cache:
// presence costs no mispredicted branch there, and absence some two nanoseconds more than one line. Where many filters
// share the caches, absence waits for the second line, 70 ns instead of 40 (Emerald Rapids). [MayContainHash] of bytes
// always begins with one line.
//
//	b, err := paired.NewBuilder(23.4, keyhash.XX64)
//	b.Add(key)                     // ... every key
//	f, err := b.Filter()
//	f.Contains(key)
//	data, err := f.MarshalBinary() // to store: with format, key hash and checksums
//
// Finish and [Open] are for engines that store raw bytes, and record format and key hash elsewhere.
//
// A batch has 128 lines, 8 KiB, as the algorithm was published, or 32, 2 KiB, as in
// Speedb's files. A filter is a whole number of batches, so builders choose by the number of keys, unless
// [WithBatchBlocks] is given: a filter of less than 4 KiB is package bloom's, which this package reads, too, one of
// less than 256 KiB has batches of 32 lines, and a larger one of 128. [BitsPerKeyFor] compares it with package bloom's.
//
// If you choose shards by the hash that keys are added with, do not use the top bits of its lower half:
// [docs/accuracy.md] has the rates.
//
// Measured times are in [docs/measured.md].
//
// [docs/accuracy.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/accuracy.md#when-the-hash-was-used-before
// [bloom]: https://pkg.go.dev/github.com/simdbloom/simdbloom/bloom
// [docs/measured.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/measured.md
package paired

import (
	"fmt"
	"strings"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/formats/paired"
	"github.com/simdbloom/simdbloom/keyhash"
)

// WithBatchBlocks sets the number of blocks, 64-byte lines, in a batch, whatever the number of keys: 128, as
// the algorithm was published, or 32, as Speedb's files have it from 2.2 on. The filter's bytes
// say which, so Open needs no option. Any other number is an error.
//
// A filter is a whole number of batches. Rounding up to it adds half a batch on
// average: 4 KiB with 128 lines, 1 KiB with 32. In the same memory, the
// false-positive rate with batches of 32 is 1 % lower at 10 bits per key, 2 % higher
// at 20, and 4 % higher at 23.4, as [PredictedFPR] computes.
//
// Where rounding up adds much, pass the bits per key that the rounded size gives,
// because NewBuilder's argument decides the number of probes. Or pass the size: see
// [simdbloom.WithMaxBytes]. Without WithBatchBlocks, filters of less than 256 KiB have the best number for their size.
func WithBatchBlocks(n int) simdbloom.Option {
	return func(o *building.Options) { o.BatchBlocks = n; o.Given |= building.GivenBatchBlocks }
}

func init() {
	formats.Link(asm.Paired, paired.NewScheme, paired.Read)
	formats.LinkRates(asm.Paired, formats.Rates{PredictedFPR: paired.PredictedFPR, BitsPerKeyFor: paired.BitsPerKeyFor})
}

// NewBuilder returns an empty builder of filters with the given number of bits per key, for keys hashed
// with hash. Bits per key count in thousandths. Less than 1 counts as 1, more than 100 as 100. Less than 0.5, NaN,
// infinities, the zero Hash and an invalid option are errors.
//
// Filters for Speedb need [keyhash.XXPH3] and WithBatchBlocks(32).
//
// With [simdbloom.WithMaxBytes] of 256 KiB or more and without [WithBatchBlocks], a filter that the limit makes smaller
// has the batches with the lower rate: of 32 blocks below 17 bits per key, and above that if they use enough more of
// the limit. (Up to 40 bits per key, the other batches' rate would be at most 1.5 % lower.)
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...simdbloom.Option) (*simdbloom.Builder, error) {
	return simdbloom.NewBuilder(simdbloom.Paired, bitsPerKey, hash, options...)
}

// Open returns the filter whose bytes are data, as [simdbloom.Open] does: data is not copied, and must neither
// change nor be freed while the filter is in use.
//
// Open reads the bytes as Speedb
// (SpdbPairedBloomFilterPolicy::GetFilterBitsReader): zero bytes contain no key, and formats that it does
// not know may contain every key. Filter.Format returns which it is. Where Speedb would read out of
// bounds or say no for a truncated filter, the error wraps [simdbloom.ErrCorrupt].
//
// Filters of Speedb's files have [keyhash.XXPH3]. Speedb 2.1.0 and 2.1.1 have batches of 128 lines, and all later
// versions 32, which no other byte of a multiple of 8 KiB tells than the lines' pair indexes. With that key hash, Open
// looks at the first 8 lines and those that they name, and at up to 128 while both sizes fit. The right size always
// fits, so no key of an intact filter is lost. If neither fits, the filter may contain every key, and [Verify] says so.
// If both do, as in 2 of 100 filters of one key, keys are looked up by both.
func Open(data []byte, hash keyhash.Hash) (*simdbloom.Filter, error) {
	return simdbloom.OpenLinked(simdbloom.Paired, data, hash)
}

// MayContainHash is [Open] and ContainsHash in one call, without allocating. It
// answers true for bytes that Open refuses. Any number of goroutines may call it at once.
//
// It costs little more than ContainsHash: a few nanoseconds if the blocks are cached, otherwise one cache
// miss for an absent key and two for a present one. It is not told the key hash. So if Speedb may have written the
// bytes by their trailer, and their size is a multiple of 8 KiB, every call looks at the lines that Open looks at, with
// the same certainty, for tens of nanoseconds. Open such filters, or read them by the policy of their name. No name of
// this library's own is in doubt, but simdbloom.Paired128.XXPH3, by which opened filters of Speedb 2.1 are stored.
func MayContainHash(data []byte, hash uint64) bool {
	return asm.PairedMayContainUnnamed(data, hash)
}

// KeysFor returns how many keys a filter of the given number of bytes, trailer included, has room
// for, or 0 for arguments that NewBuilder refuses. It costs microseconds at most.
//
// Of the options, those about batches and rounding matter.
func KeysFor(bytes int, bitsPerKey float64, options ...simdbloom.Option) int {
	return paired.KeysFor(bytes, bitsPerKey, building.Apply(options))
}

// read returns the contents of a filter that is recorded as one of Paired, of the batches that its name has.
func read(f *simdbloom.Filter) contents.Contents {
	c, _ := formats.ReaderNamed(asm.Paired, formats.BatchBlocksOf(f.Name()))(f.Bytes())
	c.Decide(f.Hash())
	return c
}

// Verify checks that in every batch the blocks are paired two by two, each with
// another one, which Open does not. Its error wraps [simdbloom.ErrCorrupt]. It reads a byte of
// every block, so it costs as much as reading the whole filter.
//
// A filter that fails was not written by a paired builder or has been damaged.
// Looking up in it is safe, but its answers may be wrong. Damage elsewhere in
// the filter goes unseen: only a checksum finds that. A filter of another format has no pairs to check.
func Verify(f *simdbloom.Filter) error {
	isPaired := f.Format() == simdbloom.Paired
	if !isPaired && (f.Hash().IsZero() || !strings.HasPrefix(f.Name(), "simdbloom.Paired")) {
		return nil
	}
	c := read(f)
	if !isPaired { // its pair indexes may fit no size
		c, _ = paired.ReadOwn(f.Bytes())
		c.BatchBlocks = 0
	}
	flaw := ""
	if c.BatchBlocks != 0 {
		flaw = flawOf(c.Body, c.BatchBlocks)
	} else if of32, of128 := flawOf(c.Body, paired.SpeedbBlocks), flawOf(c.Body, paired.PublishedBlocks); of32 != "" && of128 != "" {
		flaw = fmt.Sprintf("the pair indexes fit batches of neither 32 blocks (%s) nor 128 (%s)", of32, of128)
	}
	if flaw != "" {
		return fmt.Errorf("paired: %w: %s", simdbloom.ErrCorrupt, flaw)
	}
	return nil
}

// flawOf describes the first fault in the pairs of a body in batches of the given number of blocks, or returns "".
func flawOf(body []byte, batch int) string {
	pairOf := func(block int) int {
		return block&^(batch-1) | int(body[block*asm.BlockBytes])&(batch-1)
	}
	for block := range len(body) / asm.BlockBytes {
		switch pair := pairOf(block); {
		case pair == block:
			return fmt.Sprintf("block %d is paired with itself", block)
		case pairOf(pair) != block:
			return fmt.Sprintf("block %d is paired with block %d, which is paired with block %d", block, pair, pairOf(pair))
		}
	}
	return ""
}
