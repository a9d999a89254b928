package simdbloom

import (
	"io"

	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/nocopy"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Concurrent is a [Mutable] that any number of goroutines may add to and query at once,
// without locks. Adding a key costs atomic operations in the key's cache
// line, unless it is present; queries cost as much as a Mutable's.
//
// It has the methods of [Filter] (Contains, ContainsString, ContainsKeys, MarshalBinary, WriteTo, EstimatedFPR and so
// on), and adds keys with Add, AddString, AddUint64, AddHash, AddIfAbsent, AddStringIfAbsent, AddHashIfAbsent, AddKeys,
// AddHashes and AddColumn. EstimatedKeys, Capacity, Full and PredictedFPR count keys; Union, Reset, Clone,
// Snapshot, UnmarshalBinary and ReadFrom change or copy it whole. Only FoldTo is Mutable's alone.
//
// In terms of Go's memory model: a query finds every key whose Add happened before it, which
// means that Add returned and that something (a channel, a lock, a WaitGroup, an atomic
// variable) orders its return before the query. The same holds for all other ways to add. A
// query beside an Add of the same key may or may not find it. Once a query finds a key, every
// later query finds it, unless Reset is called. Bytes, MarshalBinary and so on take a
// copy, which has the keys whose addition happened before, and of others some bits, or none.
//
// The race detector reports nothing about a Concurrent.
//
// The zero Concurrent has no bytes: adding and queries panic until UnmarshalBinary, UnmarshalText or
// ReadFrom fills it. No other goroutine may use a Concurrent while one of these three does. Do not copy it, as a
// [Mutable].
type Concurrent struct {
	_ nocopy.Mark
	adder
}

// NewConcurrent returns a filter without keys. Its arguments and errors are [NewMutable]'s.
func NewConcurrent(format Format, keys int, bitsPerKey float64, hash keyhash.Hash, options ...Option) (*Concurrent, error) {
	g, err := newAdder(format, keys, bitsPerKey, hash, true, options)
	if err != nil {
		return nil, wrap(err)
	}
	return &Concurrent{adder: g}, nil
}

// OpenConcurrent returns a filter that begins with a copy of stored bytes. Its arguments and
// errors are [OpenMutable]'s.
func OpenConcurrent(format Format, data []byte, hash keyhash.Hash) (*Concurrent, error) {
	g, err := openAdder(format, aligned.Copy(data), 0, hash, true)
	if err != nil {
		return nil, wrap(err)
	}
	return &Concurrent{adder: g}, nil
}

// Add adds a key. It costs the key's hash, one cache line, and at most NumProbes atomic operations in
// it, or none if the key is present.
func (c *Concurrent) Add(key []byte) { c.kernel.AddShared(c.hash.Sum64(key)) }

// AddString is Add of the string's bytes, without copying them.
func (c *Concurrent) AddString(key string) { c.kernel.AddShared(c.hash.Sum64String(key)) }

// AddUint64 is Add of the value's 8 little-endian bytes.
func (c *Concurrent) AddUint64(value uint64) { c.kernel.AddShared(c.hash.SumUint64(value)) }

// AddHash adds a key by its hash, which must be the filter's key hash: see [Mutable.AddHash].
func (c *Concurrent) AddHash(hash uint64) { c.kernel.AddShared(hash) }

// AddIfAbsent adds a key, and reports whether this call set a bit: then nobody had added the
// key before it began. False means that the key may have been added, before or meanwhile.
//
// When several calls race to add a key that the filter does not contain, at least one of them
// returns true, and several may, each of which has set some of the bits. All return false
// only if other keys, added meanwhile, set the bits that were missing; the key would then be a
// false positive of those.
func (c *Concurrent) AddIfAbsent(key []byte) bool {
	return c.kernel.AddIfAbsentShared(c.hash.Sum64(key))
}

// AddStringIfAbsent is AddIfAbsent of the string's bytes, without copying them.
func (c *Concurrent) AddStringIfAbsent(key string) bool {
	return c.kernel.AddIfAbsentShared(c.hash.Sum64String(key))
}

// AddHashIfAbsent is AddIfAbsent of a key by its hash, which must be the filter's key hash.
func (c *Concurrent) AddHashIfAbsent(hash uint64) bool { return c.kernel.AddIfAbsentShared(hash) }

// AddColumnIfAbsent is AddIfAbsent of each value of a column that is not null: see [Mutable.AddColumnIfAbsent].
func (c *Concurrent) AddColumnIfAbsent(column keyhash.Column, added []uint64) {
	c.addColumnIfAbsent(column, added, c.kernel.AddIfAbsentShared)
}

// Clone returns a filter of its own with all keys whose addition happened before, and of
// those that are being added some bits, or none.
func (c *Concurrent) Clone() *Concurrent { return &Concurrent{adder: c.clone()} }

// Union adds all keys of another filter, as [Mutable.Union] does. Both may be used meanwhile:
// keys that are being added to the other one may be missing here.
func (c *Concurrent) Union(other *Concurrent) error {
	if other == nil {
		return wrap(errNoOther)
	}
	return wrap(c.union(&other.adder))
}

// UnmarshalBinary makes c the filter in the bytes of a filter file, as [Mutable.UnmarshalBinary]
// does. It may be called only while no other goroutine uses c.
func (c *Concurrent) UnmarshalBinary(data []byte) error {
	return c.unmarshal(data, true)
}

// ReadFrom is UnmarshalBinary of all bytes that r gives, and returns how many these are. See
// [Filter.ReadFrom].
func (c *Concurrent) ReadFrom(r io.Reader) (n int64, err error) {
	return c.readFrom(r, true)
}
