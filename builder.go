package simdbloom

import (
	"fmt"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/formats"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
	"github.com/simdbloom/simdbloom/internal/nocopy"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Builder collects the keys of one filter after another. [NewBuilder] returns it, and so do the formats'
// packages and policies. It uses 8 bytes per key, plus at most 6 MiB up to a million keys and 22 MiB
// beyond, plus 7 MiB per extra goroutine of [WithConcurrency]. The heap profile shows up to an eighth
// more: address space lost to huge-page alignment. The filter's own memory is needed only in Finish,
// and there Linear needs 8 bytes more for up to a quarter of the keys, and Ribbon 29 bytes more for each.
//
// One goroutine at a time may use a Builder. Concurrent use of its methods panics in most cases, as it does
// with maps. In others it loses keys, or damages memory as other data races do: a program that recovers from
// the panic must not go on with the Builder. The zero Builder panics. Do not copy it: a copy would be the same builder.
type Builder struct {
	_        nocopy.Mark
	building *building.Builder
	format   Format
}

// NewBuilder returns an empty builder of filters of a format with the given number of bits per key, for keys hashed
// with hash. It is NewBuilder of the format's package, such as package bloom, which documents the bits per key and the
// options.
//
// The format's package must be imported, also for its side effect only, or else NewBuilder returns an error that names
// it: so programs do not contain the builders that they do not use. Package policy imports all. The zero Hash is an
// error, and so are a hash of 32 bits for another format than Legacy and LevelDB, invalid bits per key, and an option
// that the format does not have.
func NewBuilder(format Format, bitsPerKey float64, hash keyhash.Hash, options ...Option) (*Builder, error) {
	o := building.Apply(options)
	b, err := newBuilder(format, bitsPerKey, hash, o)
	if err != nil {
		return nil, fmt.Errorf("simdbloom: %v: %w", format, err)
	}
	if o.AlwaysTrue {
		b, format = building.NewAlwaysTrue(hash), FastLocal
	}
	return &Builder{building: b, format: format}, nil
}

func newBuilder(format Format, bitsPerKey float64, hash keyhash.Hash, o *building.Options) (*building.Builder, error) {
	if o.Own != nil {
		return building.NewOwn(*o.Own, hash, o)
	}
	_, read, _ := formats.Linked(asm.Format(format)) // SchemeOf has its error
	scheme, err := formats.SchemeOf(asm.Format(format), bitsPerKey, o)
	if err == nil {
		err = checkHash(format, hash)
	}
	if err != nil {
		return nil, err
	}
	return building.New(scheme, read, hash, o), nil
}

// checkHash returns an error for a hash that filters of a format cannot be built with.
func checkHash(format Format, hash keyhash.Hash) error {
	switch {
	case hash.IsZero():
		return contents.ErrNoHash
	case hash.Bits() == 32 && !formats.Of(asm.Format(format)).Narrow:
		return fmt.Errorf("the key hash %s has 32 bits: only Legacy and LevelDB filters are built with it", hash.Name())
	}
	return nil
}

func (b *Builder) collecting() *building.Builder {
	if b.building == nil {
		panic("simdbloom: zero Builder: call NewBuilder")
	}
	return b.building
}

// Add adds a key. It keeps only the key's hash, or a copy until it is hashed with others. A key whose hash
// equals that of the one added just before it is dropped, as in RocksDB and Speedb, but not in LevelDB's
// format. Other repetitions are kept and take their share of the filter. It costs the key's hash and a few
// nanoseconds.
func (b *Builder) Add(key []byte) { b.collecting().Add(key) }

// AddString is Add of the string's bytes, without copying them.
func (b *Builder) AddString(key string) { b.collecting().AddString(key) }

// AddUint64 is Add of the value's 8 little-endian bytes.
func (b *Builder) AddUint64(value uint64) { b.collecting().AddUint64(value) }

// AddKeys adds keys, as Add of each would, and keeps nothing of the slice. It needs
// less time than Add, because it hashes many keys at once.
func (b *Builder) AddKeys(keys [][]byte) { b.collecting().AddKeys(keys) }

// AddUint64s is AddColumn of keyhash.Values(values): it adds values as AddUint64 of each would. For a []int64 or other
// numbers call AddColumn.
func (b *Builder) AddUint64s(values []uint64) { b.collecting().AddColumn(keyhash.Values(values)) }

// AddColumn adds the values of a column that are not null, as Add of the bytes of each would, and keeps
// nothing of the column. With XX64 it hashes numbers by a kernel.
func (b *Builder) AddColumn(column keyhash.Column) { b.collecting().AddColumn(column) }

// AddHash adds a key by its hash, which must be the builder's key hash: sequential numbers are no
// hashes. A million even numbers added by AddHash make every odd one a false positive; AddUint64 hashes
// them. Use AddHash if you have the hash already.
func (b *Builder) AddHash(hash uint64) { b.collecting().AddHash(hash) }

// AddHashes adds keys by their hashes, as AddHash of each would, and keeps nothing of
// the slice. It is the fastest way to add keys.
func (b *Builder) AddHashes(hashes []uint64) { b.collecting().AddHashes(hashes) }

// Len returns the number of keys kept since the last Finish.
func (b *Builder) Len() int { return b.collecting().Len() }

// SizeBytes returns the exact size of the filter that Finish would return now. If
// Finish would fail, it is the size that is too large (math.MaxInt at most). It may be
// called after every key, to end a table when its filter has the right size.
//
// A Linear filter may be a few lines smaller, because how many it needs is known only when it has been
// built, and much smaller above 130 bits per key. If hashes are crafted so that no Ribbon
// filter can hold them, Ribbon's builder builds a FastLocal filter, which has another size.
func (b *Builder) SizeBytes() int { return b.collecting().SizeBytes() }

// Finish returns the filter's bytes, which begin at a multiple of 64, and leaves
// the builder empty and ready for the next filter. From 8 MiB on they are in huge
// pages if Linux (6.1 or later) has any free: lookups are faster there. An error
// wraps [ErrTooLarge] or [ErrVerification]; then the builder still holds every key.
//
// It costs a few nanoseconds a key; for Linear and Ribbon tens with kernels, and on the order of 100 in
// pure Go. Crafted hashes make Linear need up to some microseconds a key, and Ribbon up to
// 256 times as long.
//
// Without keys, filters of RocksDB's formats, SplitBlock and Blobloom have no bytes. Open accepts them.
func (b *Builder) Finish() ([]byte, error) {
	data, err := b.collecting().Finish()
	return data, wrap(err)
}

// AppendFinish is Finish into the caller's memory: it appends the filter's bytes
// to dst and returns the extended slice. It needs spare capacity for SizeBytes, or else allocates.
// Lookups are fastest when the filter begins at a multiple of 64. After an error it returns dst, whose
// spare capacity may have been overwritten.
func (b *Builder) AppendFinish(dst []byte) ([]byte, error) {
	dst, err := b.collecting().AppendFinish(dst)
	return dst, wrap(err)
}

// Filter is Finish, and Open of the bytes.
func (b *Builder) Filter() (*Filter, error) {
	data, err := b.Finish()
	if err != nil {
		return nil, err
	}
	return OpenLinked(b.format, data, b.building.Hash())
}

// Reset drops all keys.
func (b *Builder) Reset() { b.collecting().Reset() }
