package linear

import (
	"fmt"

	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Builder collects the keys of one filter after another. It uses 8 bytes per key, plus at
// most 6 MiB up to a million keys and 22 MiB beyond, plus 7 MiB per extra goroutine of
// [WithConcurrency]. The filter's own memory is needed only in Finish, which uses 8 bytes
// more for each key that the first layer leaves out, up to a quarter, and a few MiB per
// goroutine. (For hashes that are not random, but have been chosen to be in one line, it is
// up to 32 bytes a key.)
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

// WithConcurrency lets Finish use up to n goroutines, and AddHashes as well when a call
// has 32,768 hashes or more. It uses at most GOMAXPROCS, and all have ended when a call
// returns. The default is 1: building stays on the caller's goroutine. The filter's
// bytes do not depend on n. It is an error if n is below 1.
//
// It speeds up building filters of several thousand keys and more.
func WithConcurrency(n int) Option {
	return func(o *options) { o.Concurrency = n }
}

// WithVerification makes Finish look up every key in the filter it has built, as
// RocksDB's detect_filter_construct_corruption does. If one is missing, Finish's
// error wraps [ErrVerification].
//
// It looks them up in batches, which takes tens of nanoseconds a key at most.
func WithVerification() Option {
	return func(o *options) { o.Verification = true }
}

// WithMaxBytes limits a filter to n bytes, trailer included. One that fits is built
// as without a limit. One that does not has the most bits per key that the limit allows.
// Any number of keys is then accepted: the false-positive rate rises as
// [PredictedFPRWithin] computes, and there are still no false negatives.
//
// Below 7.3 bits per key, lines do not hold all keys, and the rate rises steeply: from
// 0.8 % to 8 % at 6.7 bits per key and 48 % at 3.9. Package bloom's filters are better there.
//
// NewBuilder(1000, hash, WithMaxBytes(n)) fills n bytes, as far as more bits per key lower
// the rate. It is an error if n is below 136, the size of a line and the longest trailer.
func WithMaxBytes(n int) Option {
	return func(o *options) { o.limit = building.AtMost(n) }
}

// chosen returns the bits per key, and the defaults as changed by the options.
func chosen(bitsPerKey float64, set []Option) (options, error) {
	millibits, err := millibitsOf(bitsPerKey)
	if err != nil {
		return options{}, err
	}
	o := options{building.Defaults(), layout{millibits: millibits}}
	for _, option := range set {
		option(&o)
	}
	return o, o.limit.Check(leastLimit)
}

// NewBuilder returns an empty builder of filters with the given number of bits
// per key, for keys hashed with hash. Bits per key count in thousandths, rounded to the
// nearest, and more than 1000 count as 1000. Less than 0.5, NaN, infinities, the zero Hash
// and an invalid option are errors.
//
// Filters of fewer than 7.3 bits per key do not exist: fewer count as that. From 34 on,
// more bits only make second lines rarer, and from 128 on a filter leaves them out.
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

// SizeBytes returns the largest size that the filter could have that Finish would return
// now. The filter may be a few lines smaller, because how many it needs is known only when
// it has been built, and much smaller above 128 bits per key. If Finish would fail, it is the
// size that is too large (math.MaxInt at most).
//
// It takes less than a microsecond, below 8 bits per key a few of them.
func (b *Builder) SizeBytes() int { return b.building.SizeBytes() }

// Finish returns the filter's bytes, which begin at a multiple of 64, and leaves
// the builder empty and ready for the next filter. From 8 MiB on they are in huge
// pages if Linux (6.1 or later) has any free: lookups are faster there. An error
// wraps [ErrTooLarge] or [ErrVerification]; then the builder still holds every key.
//
// It takes on the order of 10 ns a key with kernels, and of 100 ns in pure Go. Hashes that were
// chosen to slow it down make it take up to some microseconds a key, and no more.
//
// Without keys the filter has eight bytes.
func (b *Builder) Finish() ([]byte, error) {
	data, err := b.building.Finish()
	return data, wrap(err)
}

// AppendFinish is Finish into the caller's memory: it appends the filter's bytes
// to dst and returns the extended slice. Lookups are fastest when the filter
// begins at a multiple of 64. After an error it returns dst, whose spare capacity
// may have been overwritten.
//
// It needs spare capacity for SizeBytes, even if the filter is smaller in the end.
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
	return fmt.Errorf("linear: %w", err)
}
