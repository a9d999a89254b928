package simdbloom

import (
	"errors"
	"io"
	"unsafe"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/nocopy"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Mutable is a [Filter] of fixed size that also accepts keys, at any time. Its bytes are at every moment a filter of a
// [Format] that accepts keys, as a [Builder] of the same size and number of probes builds it from the same keys.
//
// It has all methods of Filter, which look keys up (Contains, ContainsString, ContainsUint64, ContainsHash, and for
// many keys ContainsKeys, ContainsColumn, AppendHits), store it (MarshalBinary, WriteTo, MarshalText, Bytes) and
// describe it (EstimatedFPR, SizeBytes). &m.Filter can be in a slice of filters. Its own methods add keys (Add,
// AddString, AddUint64, AddHash; AddIfAbsent, AddStringIfAbsent, AddHashIfAbsent; AddKeys, AddHashes, AddColumn),
// count them (EstimatedKeys, Capacity, Full, PredictedFPR), and change or copy it whole (Union, FoldTo, Reset, Clone,
// Snapshot, UnmarshalBinary, ReadFrom).
//
// Any number of goroutines may query a Mutable at once. While one goroutine changes it, no other may
// use it: take [Concurrent] for that. The zero Mutable has no bytes: adding and queries panic until
// UnmarshalBinary, UnmarshalText or ReadFrom fills it.
//
// Adding and queries allocate nothing, except AppendHits and AppendColumnHits if dst is too small.
//
// Do not copy a Mutable: take Clone, or Snapshot. go vet reports copies, which have the same memory until one is folded
// or replaced, and may then contain every key. The same is true of copies of its Filter, for which vet has no rule:
// take &m.Filter.
type Mutable struct {
	_ nocopy.Mark
	adder
}

// NewMutable returns a filter without keys, of the format, which must be one that accepts keys. See NewMutable of the
// format's package.
//
// Options are [WithSizeBytes], for a filter of exactly so many bytes, and [WithMaxBytes]. Where they give another size
// than the bits per key do, the filter has the number of probes and the Capacity that suit the given number of keys in
// it.
func NewMutable(format Format, keys int, bitsPerKey float64, hash keyhash.Hash, options ...Option) (*Mutable, error) {
	g, err := newAdder(format, keys, bitsPerKey, hash, false, options)
	if err != nil {
		return nil, wrap(err)
	}
	return &Mutable{adder: g}, nil
}

// OpenMutable returns a filter that begins with a copy of stored bytes, of a Mutable or of any filter of the
// format, which must be one that accepts keys. It neither changes nor keeps data. hash must be the key hash that
// the filter was built with.
//
// The error wraps [ErrCorrupt] where [Open]'s does. Filters of other formats are errors, too, and so are a hash of 32
// bits and zero bytes, which have no room for a key: these do not wrap it.
func OpenMutable(format Format, data []byte, hash keyhash.Hash) (*Mutable, error) {
	g, err := openAdder(format, aligned.Copy(data), 0, hash, false)
	if err != nil {
		return nil, wrap(err)
	}
	return &Mutable{adder: g}, nil
}

// Add adds a key. It costs the key's hash and one cache line.
func (m *Mutable) Add(key []byte) { m.first().AddKey(key) }

// AddString is Add of the string's bytes, without copying them.
func (m *Mutable) AddString(key string) { m.Add(unsafe.Slice(unsafe.StringData(key), len(key))) }

// AddUint64 is Add of the value's 8 little-endian bytes.
func (m *Mutable) AddUint64(value uint64) { m.kernel.Add(m.hash.SumUint64(value)) }

// AddHash adds a key by its hash, which must be the filter's key hash, and not, for example, a
// sequential number: see [Builder.AddHash].
//
// It costs a few nanoseconds if the line is cached, otherwise one cache miss.
func (m *Mutable) AddHash(hash uint64) { m.first().Add(hash) }

// first is that of Filter.
func (m *Mutable) first() *asm.Kernel { return (*asm.Kernel)(unsafe.Pointer(m)) }

// AddIfAbsent adds a key, and reports whether the key was certainly new. False means that it may have
// been added before. It costs little more than Add.
func (m *Mutable) AddIfAbsent(key []byte) bool { return m.kernel.AddIfAbsent(m.hash.Sum64(key)) }

// AddStringIfAbsent is AddIfAbsent of the string's bytes, without copying them.
func (m *Mutable) AddStringIfAbsent(key string) bool {
	return m.kernel.AddIfAbsent(m.hash.Sum64String(key))
}

// AddHashIfAbsent is AddIfAbsent of a key by its hash, which must be the filter's key hash.
func (m *Mutable) AddHashIfAbsent(hash uint64) bool { return m.first().AddIfAbsent(hash) }

// AddColumnIfAbsent is AddIfAbsent of each value of a column that is not null. It sets bit i%64 of added[i/64] to
// whether value i was certainly new, the rest of the last word to zero, and no later words. It panics if added has less
// than a bit for each value, before it adds anything. Of equal values the first is new. added must share no memory with
// the column. It looks up many values at a time, in a few nanoseconds each, and adds the absent ones one by one.
func (m *Mutable) AddColumnIfAbsent(column keyhash.Column, added []uint64) {
	m.addColumnIfAbsent(column, added, m.kernel.AddIfAbsent)
}

// Clone returns a filter of its own with the same keys.
func (m *Mutable) Clone() *Mutable { return &Mutable{adder: m.clone()} }

// Union adds all keys of another filter, which does not change. The other must have the
// same format, size, number of probes and key hash: otherwise Union changes nothing, and its error
// describes the difference.
//
// It reads and writes the whole filter, at a nanosecond or two a cache line in the caches.
func (m *Mutable) Union(other *Mutable) error {
	if other == nil {
		return wrap(errNoOther)
	}
	return wrap(m.union(&other.adder))
}

var errNoOther = errors.New("the other filter is nil")

// UnmarshalBinary makes m the filter in the bytes of a filter file, of which it keeps a copy, as
// [OpenMutable] does: keys that m had are gone, and size and Capacity are the stored filter's. The
// zero Mutable gets the key hash that the file records. Any other one keeps its own, and the file must
// record that one: with a hash from keyhash.New, begin with a NewMutable of any size.
//
// It returns the errors of [Filter.UnmarshalBinary], and OpenMutable's for a filter that keys
// cannot be added to. After an error m is unchanged. Do not call it while others use m.
func (m *Mutable) UnmarshalBinary(data []byte) error { return m.unmarshal(data, false) }

// ReadFrom is UnmarshalBinary of all bytes that r gives, and returns how many these are. See
// [Filter.ReadFrom].
func (m *Mutable) ReadFrom(r io.Reader) (n int64, err error) { return m.readFrom(r, false) }
