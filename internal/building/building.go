// Package building is what the two builders share: hashes in, a filter's bytes
// out. A builder tells it the few things that differ as a Format.
package building

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
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

// Format is a filter's layout at one number of bits per key.
type Format interface {
	// BodyBytes is the size of the body for so many hashes, whether the format
	// allows it or not. A body of no bytes has no trailer either.
	BodyBytes(hashes uint64) uint64
	// MaxBodyBytes is the size of the largest body that the format allows.
	MaxBodyBytes() uint64
	// Trailer is what follows the body.
	Trailer() []byte
	// UnitBlocks is how many blocks depend on each other.
	UnitBlocks() int
	// Fill writes the hashes of a part into the blocks of that part, which are
	// zero, and touches no others of the body.
	Fill(body []byte, part Part)
	// Reader reads the body.
	Reader(body []byte) answers.Reader
}

// Settings are the options that both builders take.
type Settings struct {
	Concurrency  int
	Verification bool
}

// Defaults returns the settings of a builder that was given no options.
func Defaults() Settings { return Settings{Concurrency: 1} }

// Check returns an error for settings that no builder takes.
func (s Settings) Check() error {
	if s.Concurrency < 1 {
		return fmt.Errorf("concurrency %d, not 1 or more", s.Concurrency)
	}
	return nil
}

// Builder collects hashes and builds filters of one format. It is for one
// goroutine at a time.
type Builder struct {
	hash     keyhash.Hash
	format   Format
	settings Settings
	log      hashlog.Log
}

// New returns an empty builder.
func New(format Format, hash keyhash.Hash, settings Settings) (*Builder, error) {
	if hash.IsZero() {
		return nil, answers.ErrNoHash
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	return &Builder{hash: hash, format: format, settings: settings}, nil
}

// Add adds a key.
func (b *Builder) Add(key []byte) { b.log.Add(b.hash.Sum64(key)) }

// AddHash adds a key by its hash.
func (b *Builder) AddHash(hash uint64) { b.log.Add(hash) }

// AddHashes adds keys by their hashes.
func (b *Builder) AddHashes(hashes []uint64) { b.log.AddAll(hashes) }

// Len returns the number of hashes kept.
func (b *Builder) Len() int { return b.log.Len() }

// Reset drops all hashes.
func (b *Builder) Reset() { b.log.Reset() }

// SizeBytes returns the size of the filter, or math.MaxInt if no int holds it.
func (b *Builder) SizeBytes() int {
	return int(min(b.size(), math.MaxInt))
}

func (b *Builder) size() uint64 {
	body := b.format.BodyBytes(uint64(b.log.Len()))
	if body == 0 {
		return 0
	}
	return body + uint64(len(b.format.Trailer()))
}

// Finish returns the filter in aligned memory and empties the builder. After an
// error the builder has not changed.
func (b *Builder) Finish() ([]byte, error) {
	size, err := b.checkedSize(aligned.Slack)
	if err != nil {
		return nil, err
	}
	data := aligned.Make(size)
	if err := b.fill(data); err != nil {
		return nil, err
	}
	return data, nil
}

// AppendFinish appends the filter to dst and empties the builder. After an error
// the builder has not changed and dst is returned, whose spare capacity may hold
// anything.
func (b *Builder) AppendFinish(dst []byte) ([]byte, error) {
	size, err := b.checkedSize(len(dst))
	if err != nil {
		return dst, err
	}
	longer := slices.Grow(dst, size)[:len(dst)+size]
	data := longer[len(dst):]
	clear(data)
	if err := b.fill(data); err != nil {
		return dst, err
	}
	return longer, nil
}

// checkedSize returns the filter's size if the format allows it and it fits into
// one slice on this machine together with so many bytes more.
func (b *Builder) checkedSize(more int) (int, error) {
	size := b.size()
	if b.format.BodyBytes(uint64(b.log.Len())) > b.format.MaxBodyBytes() || size > uint64(math.MaxInt-more) {
		return 0, fmt.Errorf("a filter of %d bytes for %d keys is %w", size, b.log.Len(), ErrTooLarge)
	}
	return int(size), nil
}

// fill writes the filter into zero bytes of its size and empties the builder.
func (b *Builder) fill(data []byte) error {
	if len(data) > 0 {
		trailer := b.format.Trailer()
		body := data[:len(data)-len(trailer)]
		if !b.fillParts(body) {
			return ErrVerification
		}
		copy(data[len(body):], trailer)
	}
	b.log.Reset()
	return nil
}

// fillParts cuts the body into as many parts as there are goroutines to work on
// them, and reports whether the verification that was asked for found every hash.
func (b *Builder) fillParts(body []byte) bool {
	unit := uint64(b.format.UnitBlocks())
	blocks := uint64(len(body)) / asm.BlockBytes
	n := min(uint64(b.settings.Concurrency), uint64(runtime.GOMAXPROCS(0)), blocks/unit)
	part := func(i uint64) Part {
		from, to := blocks/unit*i/n*unit, blocks/unit*(i+1)/n*unit
		return Part{&b.log, uint32(blocks), uint32(from), uint32(to)}
	}
	if n == 1 {
		return b.fillPart(body, part(0))
	}
	complete := make([]bool, n)
	var running sync.WaitGroup
	for i := range n {
		running.Go(func() { complete[i] = b.fillPart(body, part(i)) })
	}
	running.Wait()
	return !slices.Contains(complete, false)
}

func (b *Builder) fillPart(body []byte, part Part) bool {
	b.format.Fill(body, part)
	if !b.settings.Verification {
		return true
	}
	reader := b.format.Reader(body)
	for hashes := range part.Hashes() {
		if !reader.All(hashes) {
			return false
		}
	}
	return true
}
