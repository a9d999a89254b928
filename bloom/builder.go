package bloom

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
// as RocksDB's detect_filter_construct_corruption does, in batches: 1 to 2 ns a key
// more (AVX-512, Zen 4). Finish's error wraps ErrVerification if one is missing.
func WithVerification() Option {
	return func(o *options) { o.Verification = true }
}

// WithMaxBytes limits a filter to n bytes, trailer included. One that fits is what
// it is without the limit. Where more bytes would be needed, the filter takes as
// many as the limit allows, whole blocks of 64, with RocksDB's number of probes for
// the bits per key that these really are, as RocksDB fits filters to memory
// (optimize_filters_for_memory). NewBuilder(100, hash, WithMaxBytes(n)) fills n bytes,
// unless 100 bits per key need fewer. (From 128 blocks on and up to 40 bits per key,
// no other number of probes errs less often by more than 6 %, or 8 % around 25.6;
// RocksDB's is too low for a few blocks, and too high for rates below 1e-6.)
//
// No number of keys is too many then: the rate rises to what PredictedFPRWithin
// says, and false negatives there are none. A limit beyond the format's 4 GiB counts
// as 4 GiB. NewBuilder refuses n below 69, a block and the trailer.
func WithMaxBytes(n int) Option {
	return func(o *options) { o.limit = building.AtMost(n) }
}

// chosen returns the bits per key, and the defaults as changed by the options.
func chosen(bitsPerKey float64, set []Option) (options, error) {
	millibits, err := building.Millibits(bitsPerKey)
	if err != nil {
		return options{}, err
	}
	o := options{building.Defaults(), layout{millibits: millibits}}
	for _, option := range set {
		option(&o)
	}
	return o, o.limit.Check(asm.BlockBytes + trailerBytes)
}

// NewBuilder returns an empty builder of filters with the given number of bits
// per key, for keys hashed with hash; filters for RocksDB need keyhash.XXPH3.
//
// Bits per key count in thousandths, as RocksDB rounds them. Less than 1 counts
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
// one added just before it is dropped, as RocksDB does; other repetitions are
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
// the builder empty and ready for the next filter. Without keys the filter is an
// empty slice, which Open takes.
//
// From 8 MiB on they are in huge pages, as far as Linux (6.1 or later) has any:
// there ContainsHashes takes 2.8 ns a key at 32 MiB and 5.7 at 1 GiB, in others 3.5
// (10 beside a busy neighbour) and 9.8 (AVX-512, Zen 4).
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
	return fmt.Errorf("bloom: %w", err)
}
