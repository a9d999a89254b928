package leveldb

import (
	"fmt"
	"math"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/hash32"
)

// Builder collects the keys of one filter after another. It keeps 4 bytes for each key, and
// that memory for the next filter.
//
// One goroutine at a time may use a Builder.
type Builder struct {
	hash       keyHash
	bitsPerKey int64
	hashes     []uint32
}

// NewBuilder returns an empty builder of filters with the given number of bits per key. They
// are rounded to a whole number, as RocksDB does: to thousandths first, then halves upwards.
// Less than 1 counts as 1. There is no upper limit, but no key has more than 30 probes, which 44
// bits per key have. Less than 0.5, NaN, infinities and an option that is not for builders
// are errors.
//
// It takes [WithSignedHash].
func NewBuilder(bitsPerKey float64, options ...Option) (*Builder, error) {
	o := chosen(options)
	if err := o.forBuilder(); err != nil {
		return nil, wrap(err)
	}
	whole, err := wholeBits(bitsPerKey)
	if err != nil {
		return nil, wrap(err)
	}
	return &Builder{hash: o.hash, bitsPerKey: whole}, nil
}

// Add adds a key. It keeps only the key's hash. Repeated keys are kept, as in LevelDB, and take
// their share of the filter. It costs the key's hash and a few nanoseconds.
func (b *Builder) Add(key []byte) { b.AddHash(b.hash.first(key)) }

// AddString is Add of the string's bytes, without copying them.
func (b *Builder) AddString(key string) { b.Add(hash32.Bytes(key)) }

// AddKeys adds keys, as Add of each would, and keeps nothing of the slice.
func (b *Builder) AddKeys(keys [][]byte) {
	b.hashes = slices.Grow(b.hashes, len(keys))
	for _, key := range keys {
		b.Add(key)
	}
}

// AddHash adds a key by its hash, which must be the builder's: [Hash], or [SignedHash] with
// that option.
func (b *Builder) AddHash(hash uint32) { b.hashes = append(b.hashes, hash) }

// AddHashes adds keys by their hashes, as AddHash of each would, and keeps nothing of the
// slice.
func (b *Builder) AddHashes(hashes []uint32) { b.hashes = append(b.hashes, hashes...) }

// Len returns the number of keys added since the last Finish.
func (b *Builder) Len() int { return len(b.hashes) }

// SizeBytes returns the exact size of the filter that Finish would return now. If
// Finish would fail, it is the size that is too large (math.MaxInt at most).
func (b *Builder) SizeBytes() int {
	return int(min(bodyBytes(len(b.hashes), b.bitsPerKey)+trailerBytes, math.MaxInt))
}

// Finish returns the filter's bytes and leaves the builder empty and ready for the next
// filter. An error wraps [ErrTooLarge]; then the builder still holds every key.
//
// It takes some nanoseconds for each probe of a key in a cache, and a cache miss beyond.
//
// Without keys the filter has 9 bytes, as LevelDB's.
func (b *Builder) Finish() ([]byte, error) {
	size, err := b.checkedSize(aligned.Slack)
	if err != nil {
		return nil, err
	}
	data := aligned.Make(size)
	b.fill(data)
	return data, nil
}

// AppendFinish is Finish into the caller's memory: it appends the filter's bytes
// to dst and returns the extended slice. After an error it returns dst.
func (b *Builder) AppendFinish(dst []byte) ([]byte, error) {
	size, err := b.checkedSize(len(dst))
	if err != nil {
		return dst, err
	}
	n := len(dst)
	dst = slices.Grow(dst, size)[:n+size]
	clear(dst[n:])
	b.fill(dst[n:])
	return dst, nil
}

// checkedSize returns the filter's size, if the format allows it and a slice on this machine
// can hold it and the given number of bytes more.
func (b *Builder) checkedSize(more int) (int, error) {
	body := bodyBytes(len(b.hashes), b.bitsPerKey)
	if body > mostBodyBytes || body+trailerBytes > uint64(math.MaxInt-more) {
		return 0, wrap(fmt.Errorf("a filter of %d bytes for %d keys is %w", body+trailerBytes, len(b.hashes), ErrTooLarge))
	}
	return int(body) + trailerBytes, nil
}

// fill writes the filter into zero bytes of its size, and empties the builder.
func (b *Builder) fill(data []byte) {
	writeFilter(data, b.bitsPerKey, b.hashes)
	b.Reset()
}

// writeFilter writes the filter of the hashes into zero bytes of its size.
func writeFilter(data []byte, bitsPerKey int64, hashes []uint32) {
	body, probes := data[:len(data)-trailerBytes], numProbes(bitsPerKey)
	asm.LevelDBAdd(body, probes, hashes)
	data[len(body)] = byte(probes)
}

// Reset drops all keys.
func (b *Builder) Reset() { b.hashes = b.hashes[:0] }
