package bloom

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Builder collects the keys of one filter after another. It keeps 8 bytes a key
// (at most 9 from a million keys on) and touches the filter's memory only in
// Finish. A Builder is for one goroutine at a time.
type Builder struct{ building *building.Builder }

// Option is an option of NewBuilder.
type Option func(*options)

type options struct{ building.Settings }

// WithConcurrency lets Finish use up to n goroutines, but no more than
// GOMAXPROCS; the default is 1. The bytes do not depend on n. NewBuilder refuses n
// below 1.
func WithConcurrency(n int) Option {
	return func(o *options) { o.Concurrency = n }
}

// WithVerification makes Finish look up every key in the filter it has built,
// as RocksDB's detect_filter_construct_corruption does, at about the cost of one
// batched lookup a key. Finish's error wraps ErrVerification if one is missing.
func WithVerification() Option {
	return func(o *options) { o.Verification = true }
}

// chosen returns the defaults as changed by the options.
func chosen(set []Option) options {
	o := options{building.Defaults()}
	for _, option := range set {
		option(&o)
	}
	return o
}

// NewBuilder returns an empty builder of filters with the given number of bits
// per key, for keys hashed with hash; filters for RocksDB need keyhash.XXPH3.
//
// Bits per key count in thousandths, as RocksDB rounds them. Less than 1 counts
// as 1, more than 100 as 100. Less than 0.5, NaN, infinities, the zero Hash and
// an invalid option are errors.
func NewBuilder(bitsPerKey float64, hash keyhash.Hash, options ...Option) (*Builder, error) {
	millibits, err := building.Millibits(bitsPerKey)
	if err != nil {
		return nil, wrap(err)
	}
	b, err := building.New(newFormat(millibits), hash, chosen(options).Settings)
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
