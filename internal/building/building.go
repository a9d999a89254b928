// Package building has what the builders share. Its Builder takes hashes and returns the bytes
// of a filter whose blocks are filled one after the other: a Layout says what differs between
// such formats. Those that solve equations have its Keys, and those with hashes of 32 bits only
// the limits and checks.
package building

import (
	"errors"
	"math"
	"slices"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/keyhash"
)

var (
	// ErrTooLarge is wrapped by the error for more keys than a filter can hold.
	ErrTooLarge = errors.New("larger than the format or this machine allows")

	// ErrVerification is returned when a built filter lacks a hash that was added.
	ErrVerification = errors.New("the filter lacks a hash that was added: memory has changed under the builder")
)

// Layout returns the Format of a filter of the given number of hashes. The next call may
// change it. A builder calls Layout whenever it returns the filter or its size, so it
// should allocate nothing and take far less than a microsecond.
type Layout func(hashes uint64) Format

// Format describes a filter of some number of hashes.
type Format interface {
	// BodyBytes is the size of the body, even if the format does not allow it. An
	// empty body has no trailer.
	BodyBytes() uint64
	// MaxBodyBytes is the size of the largest body that the format allows.
	MaxBodyBytes() uint64
	// Trailer is what follows the body.
	Trailer() []byte
	// NearBytes is the size up to which hashes in any order fill a body as fast as
	// hashes that are put in order first.
	NearBytes() uint64
	// UnitBlocks is how many blocks depend on each other.
	UnitBlocks() int
	// Fill writes the hashes of a part into the blocks of that part, which are
	// zero, and touches no others of the body.
	Fill(body []byte, part Part)
	// Reader reads the body.
	Reader(body []byte) Reader
}

// Builder collects hashes and builds filters of one layout. Only one goroutine may
// use it at a time.
type Builder struct {
	Keys
	layout Layout
	parts  []Part // of the filter that is being filled
}

// New returns an empty builder.
func New(layout Layout, hash keyhash.Hash, settings Settings) (*Builder, error) {
	keys, err := NewKeys(hash, settings, func() int { return mostLinear(layout, settings.Concurrency) })
	if err != nil {
		return nil, err
	}
	return &Builder{Keys: keys, layout: layout}, nil
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
	data := aligned.MakeBy(b.Goroutines(), size)
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

// checkedSize returns the filter's size, if the format allows it and a slice on this
// machine can hold it and the given number of bytes more.
func (b *Builder) checkedSize(format Format, more int) (int, error) {
	return b.CheckSize(size(format), format.BodyBytes() <= format.MaxBodyBytes(), more)
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
