package legacy

import (
	"math"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/hash32"
)

// Builder collects the keys of one filter after another. It uses 4 bytes per key, and twice
// that while it grows. The filter's own memory is needed only in Finish. One goroutine at a
// time may use a Builder.
type Builder struct {
	hashes []uint32
	options
}

// Option is an option of [NewBuilder]. If one is given twice, the last one counts.
type Option func(*options)

type options struct {
	layout
	verification bool
}

// WithPebble builds what Pebble's own writer builds where that differs from RocksDB's: five
// zero bytes without keys, one line and one probe at 0 bits per key, and no limit of 2^32 bits.
// With keys, and at 1 to 100 bits per key, the bytes are the same up to 512 MiB.
func WithPebble() Option { return func(o *options) { o.pebble = true } }

// WithVerification makes Finish look up every key in the filter it has built. If one is
// missing, Finish's error wraps [ErrVerification]. It takes a few nanoseconds a key.
func WithVerification() Option { return func(o *options) { o.verification = true } }

// WithMaxBytes limits a filter to n bytes, trailer included. One that fits is built as without
// a limit. One that does not is as large as the limit allows, with the number of probes that
// suits the whole bits per key it really has: there are more false positives, and no false
// negatives. It is an error if n is below 69, the size of a line and the trailer.
func WithMaxBytes(n int) Option { return func(o *options) { o.limit = building.AtMost(n) } }

// NewBuilder returns an empty builder of filters with the given number of bits per key, which
// is rounded to a whole number as RocksDB rounds it: 0.5 to 1.4995 count as 1, more than 100 as
// 100. Less than 0.5, NaN, infinities and an invalid option are errors. With [WithPebble], 0 is
// allowed, and more than 100 are built as asked for.
func NewBuilder(bitsPerKey float64, options ...Option) (*Builder, error) {
	o, err := chosen(bitsPerKey, options)
	if err != nil {
		return nil, wrap(err)
	}
	return &Builder{options: o}, nil
}

func chosen(bitsPerKey float64, set []Option) (o options, err error) {
	for _, option := range set {
		option(&o)
	}
	if o.bitsPerKey, err = wholeBits(bitsPerKey, o.pebble); err != nil {
		return o, err
	}
	return o, o.limit.Check(asm.BlockBytes + trailerBytes)
}

// Add adds a key. It keeps only the key's hash. A key whose hash equals that of the one added
// just before it is dropped, as in RocksDB and Pebble. It costs the key's hash and a nanosecond
// or two.
func (b *Builder) Add(key []byte) { b.AddHash(hash32.Signed(key)) }

// AddString is Add of the string's bytes, without copying them.
func (b *Builder) AddString(key string) { b.Add(hash32.Bytes(key)) }

// AddKeys adds keys, as Add of each would, and keeps nothing of the slice.
func (b *Builder) AddKeys(keys [][]byte) {
	for _, key := range keys {
		b.Add(key)
	}
}

// AddHash adds a key by its [Hash].
func (b *Builder) AddHash(hash uint32) {
	if n := len(b.hashes); n > 0 && b.hashes[n-1] == hash {
		return
	}
	b.hashes = append(b.hashes, hash)
}

// AddHashes adds keys by their hashes, as AddHash of each would, and keeps nothing of the
// slice.
func (b *Builder) AddHashes(hashes []uint32) {
	b.hashes = slices.Grow(b.hashes, len(hashes))
	for _, hash := range hashes {
		b.AddHash(hash)
	}
}

// Len returns the number of keys kept since the last Finish.
func (b *Builder) Len() int { return len(b.hashes) }

// SizeBytes returns the exact size of the filter that Finish would return now, or
// math.MaxInt if no int holds it. It may be called after every key.
func (b *Builder) SizeBytes() int { return int(min(b.sizeBytes(), math.MaxInt)) }

func (b *Builder) sizeBytes() uint64 {
	if len(b.hashes) == 0 {
		return uint64(len(b.noKeys()))
	}
	lines, _ := b.size(len(b.hashes))
	return lines*asm.BlockBytes + trailerBytes
}

// Finish returns the filter's bytes, which begin at a multiple of 64, and leaves the builder
// empty and ready for the next filter. An error wraps [ErrTooLarge] or [ErrVerification];
// then the builder still holds every key. It takes on the order of 10 ns a key.
//
// Without keys the filter is an empty slice, as RocksDB writes none, or with [WithPebble] five
// zero bytes. [Open] accepts both.
func (b *Builder) Finish() ([]byte, error) {
	size, err := b.checkedSize(aligned.Slack)
	if err != nil {
		return nil, wrap(err)
	}
	data := aligned.Make(size)
	if err := b.fill(data); err != nil {
		return nil, wrap(err)
	}
	return data, nil
}

// AppendFinish is Finish into the caller's memory: it appends the filter's bytes to dst and
// returns the extended slice. Lookups are fastest when the filter begins at a multiple of 64.
// After an error it returns dst, whose spare capacity may have been overwritten.
func (b *Builder) AppendFinish(dst []byte) ([]byte, error) {
	size, err := b.checkedSize(len(dst))
	if err != nil {
		return dst, wrap(err)
	}
	longer := slices.Grow(dst, size)[:len(dst)+size]
	data := longer[len(dst):]
	clear(data)
	if err := b.fill(data); err != nil {
		return dst, wrap(err)
	}
	return longer, nil
}

// checkedSize returns the filter's size, if a filter can have it and a slice can hold it and
// the given number of bytes more.
func (b *Builder) checkedSize(more int) (int, error) {
	size := b.sizeBytes()
	return building.CheckSize(len(b.hashes), size, size <= asm.MaxBodyBytes+trailerBytes, more)
}

// fill writes the filter into zero bytes of its size, and empties the builder.
func (b *Builder) fill(data []byte) error {
	if len(b.hashes) == 0 {
		copy(data, b.noKeys())
		return nil
	}
	lines, probes := b.size(len(b.hashes))
	body := data[:len(data)-trailerBytes]
	asm.LegacyAdd(body, uint32(lines), probes, b.hashes)
	putTrailer(data[len(body):], lines, probes)
	if b.verification {
		kernel := asm.NewLegacy(body, uint32(lines), probes)
		if !building.ContainsAll32(b.hashes, kernel.ContainsBools) {
			return ErrVerification
		}
	}
	b.Reset()
	return nil
}

// noKeys returns the filter of no keys.
func (b *Builder) noKeys() []byte {
	if b.pebble {
		return make([]byte, trailerBytes)
	}
	return nil
}

// Reset drops all keys.
func (b *Builder) Reset() { b.hashes = b.hashes[:0] }
