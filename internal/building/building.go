// Package building is shared by all builders: they collect hashes, ask a format's Scheme for the
// filter's bytes, and look up every hash in them if that is wanted. Blocks is the Scheme of formats
// whose blocks are filled one after the other.
package building

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"unsafe"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/keyhash"
)

var (
	// ErrTooLarge is wrapped by the error for more keys than a filter can hold.
	ErrTooLarge = errors.New("larger than the format or this machine allows")

	// ErrVerification is returned when a built filter lacks a hash that was added.
	ErrVerification = errors.New("the filter lacks a hash that was added: memory has changed under the builder")
)

// Scheme is how a format's filters are built from hashes.
type Scheme interface {
	// MostInOrder returns how many hashes a builder keeps in the order of arrival. More are put into
	// lists.
	MostInOrder(concurrency int) int

	// Size returns the size of the filter of the hashes in the log, which the format may not allow.
	// A Builder calls it whenever it returns the size, so it should allocate nothing and take far
	// less than a microsecond.
	Size(log *hashlog.Log) (bytes uint64, allowed bool)

	// Build returns the filter of the hashes in the log, which is flushed. It is in memory that the
	// Scheme asks for once, all of it or its beginning.
	Build(log *hashlog.Log, goroutines int, memory Memory) ([]byte, error)
}

// InOrder is embedded by a Scheme whose builders put no hashes into lists.
type InOrder struct{}

// MostInOrder is [Scheme]'s.
func (InOrder) MostInOrder(int) int { return math.MaxInt }

// Memory returns zero bytes of the size of a filter (anything if the Scheme overwrites them), which the
// format may not allow: then it is an error.
type Memory func(bytes uint64, allowed bool) ([]byte, error)

// Builder collects hashes and builds filters. Only one goroutine may use it at a time.
type Builder struct {
	log          hashlog.Log
	hash         keyhash.Hash
	hashed       []uint64 // room for AddKeys
	longer       []byte   // what AppendFinish will return: by itself it would take an allocation
	scheme       Scheme
	reader       contents.Reader
	concurrency  int
	verification bool
	overwrites   bool
	undoMix      func(dst, hashes []uint64) // inverts the mixing of hashes in lists, or nil
	atOnce       *atOnce                    // nil if hashes are collected
	waits        bool                       // keys may wait to be hashed together
	unseen       uint8                      // keys up to the next whose length is looked at
	size         int                        // the length of the last one that was
	waiting      *waiting                   // keys of that length that wait, or nil
	waitingRoom  *waiting                   // what it points to
}

// New returns an empty builder of a Scheme's filters, which the reader reads.
func New(scheme Scheme, reader contents.Reader, hash keyhash.Hash, o *Options) *Builder {
	b := &Builder{
		log: hashlog.New(max(scheme.MostInOrder(o.Concurrency), 1), o.Concurrency), hash: hash, scheme: scheme, reader: reader,
		concurrency: o.Concurrency, verification: o.Verification, overwrites: o.Overwrites, waits: waits(hash), unseen: lookedAt,
	}
	if o.KeepEqual {
		b.log.KeepEqual()
	}
	b.undoMix = o.Mix.Undo
	b.log.MixInLists(o.Mix)
	if o.AtOnce != nil && o.Limit.Exact() && o.Concurrency == 1 && !o.Verification {
		b.atOnce = &atOnce{bytes: o.Limit.bytes, prepare: o.AtOnce}
		b.log.PassOn(b.atOnce.add)
	}
	return b
}

// alwaysTrue is the Scheme of the zeros that RocksDB writes in place of a filter.
type alwaysTrue struct{ InOrder }

func (alwaysTrue) Size(*hashlog.Log) (bytes uint64, allowed bool) {
	return uint64(len(contents.AlwaysTrue)), true
}

func (s alwaysTrue) Build(log *hashlog.Log, _ int, memory Memory) ([]byte, error) {
	return memory(s.Size(log))
}

// NewAlwaysTrue returns a builder that only counts keys. Its filters may contain every key.
func NewAlwaysTrue(hash keyhash.Hash) *Builder {
	b := &Builder{log: hashlog.New(math.MaxInt, 1), hash: hash, scheme: alwaysTrue{}, concurrency: 1}
	b.log.CountOnly()
	return b
}

// Hash returns the key hash.
func (b *Builder) Hash() keyhash.Hash { return b.hash }

// AddString adds a key.
func (b *Builder) AddString(key string) { b.Add(unsafe.Slice(unsafe.StringData(key), len(key))) }

// AddHash adds a key by its hash.
func (b *Builder) AddHash(hash uint64) {
	if b.waiting != nil {
		b.hashWaiting()
	}
	if !b.log.TryAdd(hash) {
		b.log.Add(hash)
	}
}

// AddHashes adds keys by their hashes.
func (b *Builder) AddHashes(hashes []uint64) {
	b.hashWaiting()
	b.log.AddAll(hashes)
}

// hashedAtOnce is the number of keys that AddKeys hashes before it adds the hashes. The log
// puts this many into lists without another copy.
const hashedAtOnce = 1024

// room returns memory for hashes, which the builder keeps: they cannot be on the stack, because
// other goroutines may put them into the log.
func (b *Builder) room() []uint64 {
	if b.hashed == nil {
		b.hashed = make([]uint64, 0, hashedAtOnce)
	}
	return b.hashed
}

// AddKeys adds keys.
func (b *Builder) AddKeys(keys [][]byte) {
	b.hashWaiting()
	for len(keys) > 0 {
		n := min(hashedAtOnce, len(keys))
		b.log.AddAll(b.hash.AppendHashes(b.room(), keys[:n]))
		keys = keys[n:]
	}
}

// AddColumn adds the values of a column that are not null.
func (b *Builder) AddColumn(c keyhash.Column) {
	b.hashWaiting()
	for n := c.Len(); n > 0; n = c.Len() {
		n = min(hashedAtOnce, n)
		b.log.AddAll(b.hash.AppendColumn(b.room(), c.Slice(0, n)))
		c = c.Slice(n, c.Len())
	}
}

// Len returns the number of hashes kept.
func (b *Builder) Len() int {
	b.hashWaiting()
	return b.log.Len()
}

// SizeBytes returns the size of the filter, or math.MaxInt if no int holds it.
func (b *Builder) SizeBytes() int {
	b.hashWaiting()
	size, _ := b.scheme.Size(&b.log)
	return int(min(size, math.MaxInt))
}

// Reset drops all hashes.
func (b *Builder) Reset() {
	b.hashWaiting()
	b.log.Begin()
	defer b.log.End()
	b.log.Reset()
	if b.atOnce != nil {
		b.atOnce.reset()
	}
}

// Finish returns the filter in aligned memory and empties the builder. After an error the builder
// has not changed.
func (b *Builder) Finish() ([]byte, error) {
	if b.atOnce != nil {
		return b.addLast((*atOnce).finish), nil
	}
	return b.build(func(bytes uint64, allowed bool) ([]byte, error) {
		size, err := CheckSize(b.log.Len(), bytes, allowed, aligned.Slack)
		if err != nil {
			return nil, err
		}
		return aligned.MakeBy(b.goroutines(), size), nil
	})
}

// AppendFinish appends the filter to dst and empties the builder. After an error the builder has
// not changed and dst is returned, whose spare capacity may hold anything.
func (b *Builder) AppendFinish(dst []byte) ([]byte, error) {
	if b.atOnce != nil {
		return b.addLast(func(a *atOnce) []byte { return a.appendFinish(dst) }), nil
	}
	data, err := b.build(func(bytes uint64, allowed bool) ([]byte, error) {
		size, err := CheckSize(b.log.Len(), bytes, allowed, len(dst))
		if err != nil {
			return nil, err
		}
		b.longer = slices.Grow(dst, size)[:len(dst)+size]
		if !b.overwrites {
			clear(b.longer[len(dst):])
		}
		return b.longer[len(dst):], nil
	})
	longer := b.longer
	b.longer = nil
	if err != nil {
		return dst, err
	}
	return longer[:len(dst)+len(data)], nil
}

// addLast adds the hashes that are still in the log to the filter that has all others, and finishes it.
func (b *Builder) addLast(finish func(*atOnce) []byte) []byte {
	b.hashWaiting()
	b.log.Begin()
	defer b.log.End()
	b.log.Flush()
	b.log.Reset()
	return finish(b.atOnce)
}

func (b *Builder) build(memory Memory) ([]byte, error) {
	b.hashWaiting()
	b.log.Begin()
	defer b.log.End()
	b.log.Flush()
	data, err := b.scheme.Build(&b.log, b.goroutines(), memory)
	if err != nil {
		return nil, err
	}
	if b.verification && !b.containsAll(data) {
		return nil, ErrVerification
	}
	b.log.Reset()
	return slices.Clip(data), nil
}

// goroutines returns the largest number of goroutines to use.
func (b *Builder) goroutines() int { return min(b.concurrency, runtime.GOMAXPROCS(0)) }

// CheckSize returns the size of a filter of some number of keys, if the format allows it and a
// slice on this machine can hold it and the given number of bytes more.
func CheckSize(keys int, size uint64, allowed bool, more int) (int, error) {
	if !allowed || size > uint64(math.MaxInt-more) {
		return 0, fmt.Errorf("a filter of %d bytes for %d keys is %w", size, keys, ErrTooLarge)
	}
	return int(size), nil
}
