package ribbon

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/fastlocal"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Builder collects the keys of one filter after another. It uses 8 bytes per key,
// plus at most 6 MiB. Finish needs the filter's own memory, about 29 bytes for each key, and
// less than a MiB per goroutine.
//
// One goroutine at a time may use a Builder. Concurrent use of its methods panics in
// most cases, as it does with maps, and loses keys in others.
type Builder struct{ building *builder }

// Option is an option of [NewBuilder]. If one is given twice, the last one counts.
type Option func(*options)

type options struct {
	building.Settings
	layout
}

// WithConcurrency lets Finish use up to n goroutines. It uses at most GOMAXPROCS, and all have
// ended when it returns. The default is 1: building stays on the caller's goroutine. The filter's
// bytes do not depend on n. It is an error if n is below 1.
//
// It speeds up building filters of more than 16,384 keys.
func WithConcurrency(n int) Option {
	return func(o *options) { o.Concurrency = n }
}

// WithVerification makes Finish look up every key in the filter it has built, as
// RocksDB's detect_filter_construct_corruption does. If one is missing, Finish's
// error wraps [ErrVerification].
//
// It looks them up in batches, which takes tens of nanoseconds a key.
func WithVerification() Option {
	return func(o *options) { o.Verification = true }
}

// WithMaxBytes limits a filter to n bytes, trailer included. One that fits is built
// as without a limit. One that does not has the columns that the limit allows. Any number of keys
// is then accepted, as far as building has memory: the false-positive rate rises as
// [PredictedFPRWithin] computes, and there are still no false negatives.
//
// RocksDB writes and reads such filters with its option optimize_filters_for_memory. It is an
// error if n is below 69, the size of the smallest FastLocal filter.
func WithMaxBytes(n int) Option {
	return func(o *options) { o.limit = building.AtMost(n) }
}

// chosen returns the bits per key, and the defaults as changed by the options.
func chosen(bitsPerKey float64, set []Option) (options, error) {
	l, err := newLayout(bitsPerKey)
	if err != nil {
		return options{}, err
	}
	o := options{building.Defaults(), l}
	for _, option := range set {
		option(&o)
	}
	return o, o.limit.Check(asm.BlockBytes + fastlocal.TrailerBytes)
}

// NewBuilder returns an empty builder of filters with the rate of a Bloom filter of the given
// number of bits per key, for keys hashed with hash. Less than 1 counts as 1, more than 100 as
// 100. Less than 0.5, NaN, infinities, the zero Hash and an invalid option are errors.
//
// Filters for RocksDB need [keyhash.XXPH3].
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...Option) (*Builder, error) {
	o, err := chosen(bitsPerKey, options)
	if err != nil {
		return nil, wrap(err)
	}
	b, err := newBuilder(o.layout, hash, o.Settings)
	if err != nil {
		return nil, wrap(err)
	}
	return &Builder{b}, nil
}

// Add adds a key. It keeps only the key's hash. A key equal to the one added just
// before it is dropped, as in RocksDB and Speedb. Other repetitions are kept and take
// their share of the filter. It costs the key's hash and a few nanoseconds.
func (b *Builder) Add(key []byte) { b.building.Add(key) }

// AddString is Add of the string's bytes, without copying them.
func (b *Builder) AddString(key string) { b.building.AddString(key) }

// AddKeys adds keys, as Add of each would, and keeps nothing of the slice. It takes
// less time than Add, because it hashes many keys at once.
func (b *Builder) AddKeys(keys [][]byte) { b.building.AddKeys(keys) }

// AddHash adds a key by its hash, which must be the builder's key hash. Use it if you
// have the hash already.
func (b *Builder) AddHash(hash uint64) { b.building.AddHash(hash) }

// AddHashes adds keys by their hashes, as AddHash of each would, and keeps nothing of
// the slice. It is the fastest way to add keys.
func (b *Builder) AddHashes(hashes []uint64) { b.building.AddHashes(hashes) }

// Len returns the number of keys kept since the last Finish.
func (b *Builder) Len() int { return b.building.Len() }

// SizeBytes returns the exact size of the filter that Finish would return now. If
// Finish would fail, it is the size that is too large (math.MaxInt at most). It may be
// called after every key, to end a table when its filter has the right size.
//
// For hashes that were chosen to fit no Ribbon filter, Finish returns a FastLocal filter instead,
// which has another size.
func (b *Builder) SizeBytes() int { return b.building.SizeBytes() }

// Finish returns the filter's bytes, which begin at a multiple of 64, and leaves
// the builder empty and ready for the next filter. From 8 MiB on they are in huge
// pages if Linux (6.1 or later) has any free: lookups are faster there. An error
// wraps [ErrTooLarge] or [ErrVerification]; then the builder still holds every key.
//
// It takes some tens of nanoseconds a key with kernels, and on the order of 100 ns in pure Go.
// Hashes that were chosen to slow it down make it take up to 256 times as long.
//
// Without keys the filter is an empty slice, which [Open] accepts.
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
	return fmt.Errorf("ribbon: %w", err)
}
