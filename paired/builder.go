package paired

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Builder collects the keys of one filter after another. It keeps 8 bytes a key and
// little more memory, at most 6 MiB up to a million keys and 22 MiB beyond, and 7 MiB for
// each further goroutine of WithConcurrency; it touches the filter's memory only in
// Finish. (The garbage collector counts an eighth more: addresses that are skipped to
// begin at a huge page.) A Builder is for one goroutine at a time.
type Builder struct{ building *building.Builder }

// Option is an option of NewBuilder.
type Option func(*options)

type options struct {
	building.Settings
	layout
}

// WithConcurrency lets Finish, and AddHashes with 65,536 hashes and more in a call, use
// up to n goroutines, but no more than GOMAXPROCS; the default is 1, so that building
// stays on the caller's thread. It is for filters of more than 1 MiB: of smaller ones
// the second goroutine takes as long to start as it saves. None is left when a call
// returns. The bytes do not depend on n. NewBuilder refuses n below 1.
func WithConcurrency(n int) Option {
	return func(o *options) { o.Concurrency = n }
}

// WithVerification makes Finish look up every key in the filter it has built,
// as RocksDB's detect_filter_construct_corruption does, in batches: 4 to 6 ns a key
// more (AVX-512, Zen 4). Finish's error wraps ErrVerification if one is missing.
func WithVerification() Option {
	return func(o *options) { o.Verification = true }
}

// WithBatchBlocks sets the number of 64-byte lines in a batch: 128, the default,
// which the filter's published algorithm has, or 32, which Speedb's files have.
// The filter's bytes say which, so Open needs no option. NewBuilder refuses any
// other number.
//
// A filter is a whole number of batches, half of one more on average than its
// bits per key ask for: 4 KiB with 128 lines, 1 KiB with 32. In the same memory,
// batches of 32 err 1 % less often at 10 bits per key, 1 % more often at 20, and 4 %
// more often at 23.4. So 32 is right up to 20 bits per key, and 128 above that,
// from about 128 KiB on (45,000 keys at 23.4), where half a batch is 3 %. Below a
// single batch of 32, 1,000 keys at 16 bits per key, package bloom is right, whose
// filters grow by 64 bytes. Where rounding up adds much, ask for the bits per key
// that the size really gives: the number of probes goes by what is asked. Or ask for
// the size: see WithMaxBytes. (Measured: bench/accuracy.md, "Which batch".)
func WithBatchBlocks(n int) Option {
	return func(o *options) { o.batchBlocks, o.anyBatch = n, false }
}

// WithRoundDown rounds the filter's size down to whole batches (but not to none)
// instead of up, as Speedb does for the tables of its bottommost level.
func WithRoundDown() Option {
	return func(o *options) { o.roundDown = true }
}

// WithMaxBytes limits a filter to n bytes, trailer included. One that fits is what
// it is without the limit. Where more bytes would be needed, the filter takes as
// many as the limit allows, whole batches, with the number of probes that is best
// for the bits per key that these really are. With Speedb's number it would err more
// often, by 23 % at 3.1 bits per key and by 3 % on average; its readers take any.
// NewBuilder(100, hash, WithMaxBytes(n)) fills n bytes, unless 100 bits per key need
// fewer.
//
// Without WithBatchBlocks, such a filter has the batches that err less often: of 32
// lines below 17 bits per key, and above where they leave so much less of the limit
// unused. (Up to 40 bits per key, the others would err less often by 1.5 % at most.)
// WithRoundDown makes no difference to it.
//
// No number of keys is too many then: the rate rises to what PredictedFPRWithin
// says, and false negatives there are none. A limit beyond the format's 4 GiB counts
// as 4 GiB. NewBuilder refuses n below one batch and the trailer: 2,052, or 8,196
// WithBatchBlocks(128).
func WithMaxBytes(n int) Option {
	return func(o *options) { o.limit = building.AtMost(n) }
}

// chosen returns the bits per key, and the defaults as changed by the options.
func chosen(bitsPerKey float64, set []Option) (options, error) {
	millibits, err := building.Millibits(bitsPerKey)
	if err != nil {
		return options{}, err
	}
	o := options{building.Defaults(), layout{millibits: millibits, batchBlocks: publishedBlocks, anyBatch: true}}
	for _, option := range set {
		option(&o)
	}
	if o.batchBlocks != speedbBlocks && o.batchBlocks != publishedBlocks {
		return o, fmt.Errorf("batches of %d blocks, not %d or %d", o.batchBlocks, speedbBlocks, publishedBlocks)
	}
	least := o.batchBlocks
	if o.anyBatch {
		least = speedbBlocks
	}
	if err := o.limit.Check(least*asm.BlockBytes + trailerBytes); err != nil {
		return o, err
	}
	return o, o.Check()
}

// NewBuilder returns an empty builder of filters with the given number of bits
// per key, for keys hashed with hash; filters for Speedb need keyhash.XXPH3 and
// WithBatchBlocks(32).
//
// Bits per key count in thousandths, as Speedb rounds them. Less than 1 counts
// as 1, more than 100 as 100. Less than 0.5, NaN, infinities, the zero Hash and
// an invalid option are errors.
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...Option) (*Builder, error) {
	o, err := chosen(bitsPerKey, options)
	if err != nil {
		return nil, wrap(err)
	}
	var last format // one is enough, and asking for a size allocates nothing
	layout := func(hashes uint64) building.Format {
		last = o.format(hashes)
		return &last
	}
	b, err := building.New(layout, hash, o.Settings)
	if err != nil {
		return nil, wrap(err)
	}
	return &Builder{b}, nil
}

// Add adds a key. It keeps nothing of the key but its hash. A key equal to the
// one added just before it is dropped, as Speedb does; other repetitions are
// kept and take their share of the filter.
func (b *Builder) Add(key []byte) { b.building.Add(key) }

// AddHash adds a key by its hash, which must be the builder's key hash.
func (b *Builder) AddHash(hash uint64) { b.building.AddHash(hash) }

// AddHashes adds keys by their hashes, as AddHash of each would, and keeps
// nothing of the slice.
func (b *Builder) AddHashes(hashes []uint64) { b.building.AddHashes(hashes) }

// Len returns the number of keys kept since the last Finish.
func (b *Builder) Len() int { return b.building.Len() }

// SizeBytes returns the exact size of what Finish would return now, or, where
// Finish would fail, the size that is too large (math.MaxInt at most).
func (b *Builder) SizeBytes() int { return b.building.SizeBytes() }

// Finish returns the filter's bytes, which begin at a multiple of 64, and leaves
// the builder empty and ready for the next filter. Without keys the filter is a
// batch without bits. From 8 MiB on they are in huge pages, as far as Linux (6.1
// or later) has any.
//
// An error wraps ErrTooLarge or ErrVerification; then the builder still holds
// every key.
func (b *Builder) Finish() ([]byte, error) {
	data, err := b.building.Finish()
	return data, wrap(err)
}

// AppendFinish is Finish into the caller's memory: it appends the filter's bytes
// to dst and returns the extended slice. Lookups are fastest when the filter
// begins at a multiple of 64. After an error it returns dst, whose spare capacity
// may have been overwritten.
func (b *Builder) AppendFinish(dst []byte) ([]byte, error) {
	dst, err := b.building.AppendFinish(dst)
	return dst, wrap(err)
}

// Reset drops all keys.
func (b *Builder) Reset() { b.building.Reset() }

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("paired: %w", err)
}
