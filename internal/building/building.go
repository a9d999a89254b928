// Package building is what the builders share: hashes in, a filter's bytes out. A
// builder tells it the few things that differ as a Layout.
package building

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/keyhash"
)

var (
	// ErrTooLarge is wrapped by the error for more keys than a filter can hold.
	ErrTooLarge = errors.New("larger than the format allows")

	// ErrVerification is returned when a built filter lacks a hash that was added.
	ErrVerification = errors.New("the filter lacks a hash that was added: memory has changed under the builder")
)

// Layout returns the Format of a filter of the given number of hashes, which the next
// call may change. A builder calls it whenever it returns the filter or its size: it
// should allocate nothing and take far less than a microsecond.
type Layout func(hashes uint64) Format

// Format is what a filter of some number of hashes is like.
type Format interface {
	// BodyBytes is the size of the body, whether the format allows it or not. A
	// body of no bytes has no trailer either.
	BodyBytes() uint64
	// MaxBodyBytes is the size of the largest body that the format allows.
	MaxBodyBytes() uint64
	// Trailer is what follows the body.
	Trailer() []byte
	// NearBytes is the size up to which a body is filled as fast by hashes in any
	// order: putting them in order costs 1 to 1.5 ns each.
	NearBytes() uint64
	// UnitBlocks is how many blocks depend on each other.
	UnitBlocks() int
	// Fill writes the hashes of a part into the blocks of that part, which are
	// zero, and touches no others of the body.
	Fill(body []byte, part Part)
	// Reader reads the body.
	Reader(body []byte) Reader
}

// Settings are the options that all builders take.
type Settings struct {
	Concurrency  int
	Verification bool
}

// Defaults returns the settings of a builder that was given no options.
func Defaults() Settings { return Settings{Concurrency: 1} }

// Check returns an error for settings that no builder takes.
func (s Settings) Check() error {
	if s.Concurrency < 1 {
		return fmt.Errorf("concurrency must be at least 1, not %d", s.Concurrency)
	}
	return nil
}

// Builder collects hashes and builds filters of one layout. It is for one
// goroutine at a time.
type Builder struct {
	hash     keyhash.Hash
	layout   Layout
	settings Settings
	log      hashlog.Log
	hashed   []uint64 // room for AddKeys
	parts    []Part   // of the filter that is being filled
}

// New returns an empty builder.
func New(layout Layout, hash keyhash.Hash, settings Settings) (*Builder, error) {
	if hash.IsZero() {
		return nil, answers.ErrNoHash
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	log := hashlog.New(mostLinear(layout, settings.Concurrency), settings.Concurrency)
	return &Builder{hash: hash, layout: layout, settings: settings, log: log}, nil
}

// Add adds a key.
func (b *Builder) Add(key []byte) { b.log.Add(b.hash.Sum64(key)) }

// AddString adds a key.
func (b *Builder) AddString(key string) { b.log.Add(b.hash.Sum64String(key)) }

// AddHash adds a key by its hash.
func (b *Builder) AddHash(hash uint64) { b.log.Add(hash) }

// AddHashes adds keys by their hashes.
func (b *Builder) AddHashes(hashes []uint64) { b.log.AddAll(hashes) }

// Len returns the number of hashes kept.
func (b *Builder) Len() int { return b.log.Len() }

// Reset drops all hashes.
func (b *Builder) Reset() {
	b.log.Begin()
	defer b.log.End()
	b.log.Reset()
}

// SizeBytes returns the size of the filter, or math.MaxInt if no int holds it.
func (b *Builder) SizeBytes() int {
	return int(min(size(b.format()), math.MaxInt))
}

// format returns the format for the hashes collected so far.
func (b *Builder) format() Format { return b.layout(uint64(b.log.Len())) }

// size returns a filter's size, trailer included.
func size(format Format) uint64 {
	body := format.BodyBytes()
	if body == 0 {
		return 0
	}
	return body + uint64(len(format.Trailer()))
}

// Finish returns the filter in aligned memory and empties the builder. After an
// error the builder has not changed.
func (b *Builder) Finish() ([]byte, error) {
	b.log.Begin()
	defer b.log.End()
	format := b.format()
	size, err := b.checkedSize(format, aligned.Slack)
	if err != nil {
		return nil, err
	}
	data := aligned.MakeBy(b.goroutines(), size)
	if err := b.fill(format, data); err != nil {
		return nil, err
	}
	return data, nil
}

// AppendFinish appends the filter to dst and empties the builder. After an error
// the builder has not changed and dst is returned, whose spare capacity may hold
// anything.
func (b *Builder) AppendFinish(dst []byte) ([]byte, error) {
	b.log.Begin()
	defer b.log.End()
	format := b.format()
	size, err := b.checkedSize(format, len(dst))
	if err != nil {
		return dst, err
	}
	longer := slices.Grow(dst, size)[:len(dst)+size]
	data := longer[len(dst):]
	clear(data)
	if err := b.fill(format, data); err != nil {
		return dst, err
	}
	return longer, nil
}

// checkedSize returns the filter's size if the format allows it and it fits into
// one slice on this machine together with the given number of bytes more.
func (b *Builder) checkedSize(format Format, more int) (int, error) {
	size := size(format)
	if format.BodyBytes() > format.MaxBodyBytes() || size > uint64(math.MaxInt-more) {
		return 0, fmt.Errorf("a filter of %d bytes for %d keys is %w", size, b.log.Len(), ErrTooLarge)
	}
	return int(size), nil
}

// fill writes the filter into zero bytes of its size and empties the builder.
func (b *Builder) fill(format Format, data []byte) error {
	if len(data) > 0 {
		trailer := format.Trailer()
		body := data[:len(data)-len(trailer)]
		if !b.fillBody(format, body) {
			return ErrVerification
		}
		copy(data[len(body):], trailer)
	}
	b.log.Reset()
	return nil
}
