package bloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Concurrent is a [Mutable] that any number of goroutines may add to and query at once,
// without locks. Adding a key takes atomic operations in the key's cache
// line, unless it is present; queries cost what a Mutable's do.
//
// In terms of Go's memory model: a query finds every key whose Add happened before it, which
// means that Add returned and that something (a channel, a lock, a WaitGroup, an atomic
// variable) orders its return before the query. The same holds for all other ways to add. A
// query beside an Add of the same key may or may not find it. What a query has found, every
// query that happens after it finds, unless Reset is called.
//
// The race detector reports nothing about a Concurrent.
//
// The zero Concurrent has no bytes: adding and queries panic until UnmarshalBinary or ReadFrom
// fills it. No other goroutine may use a Concurrent while these two do.
type Concurrent struct{ growing }

// NewConcurrent returns a filter without keys. Its arguments and errors are those of
// [NewMutable].
func NewConcurrent(keys int, bitsPerKey float64, hash keyhash.Hash) (*Concurrent, error) {
	g, err := newGrowing(keys, bitsPerKey, hash, asm.NewSharedFastLocal)
	if err != nil {
		return nil, wrap(err)
	}
	return &Concurrent{g}, nil
}

// OpenConcurrent returns a filter that begins with a copy of stored bytes. Its arguments and
// errors are those of [OpenMutable].
func OpenConcurrent(data []byte, hash keyhash.Hash) (*Concurrent, error) {
	g, err := openGrowing(aligned.Copy(data), hash, asm.NewSharedFastLocal)
	if err != nil {
		return nil, wrap(err)
	}
	return &Concurrent{g}, nil
}

// Clone returns a filter of its own with all keys whose addition happened before, and of
// those that are being added some bits, or none.
func (c *Concurrent) Clone() *Concurrent { return &Concurrent{c.clone(asm.NewSharedFastLocal)} }

// Snapshot returns an immutable filter over a copy of the bytes, which has the keys that
// Clone's filter has.
func (c *Concurrent) Snapshot() *Filter { return c.snapshot() }

// Union adds all keys of another filter, as [Mutable.Union] does. Both may be used meanwhile:
// keys that are being added to the other one may be missing here.
func (c *Concurrent) Union(other *Concurrent) error {
	if other == nil {
		return wrap(errNoOther)
	}
	return wrap(c.union(&other.growing))
}

// Reset removes all keys. A key that is being added meanwhile may afterwards be missing, or
// lack some of its bits, which is the same.
func (c *Concurrent) Reset() { c.filter.kernel.Clear() }

// Bytes returns a copy of the filter's bytes, which [Open], [OpenConcurrent] and RocksDB
// read. It has the keys that Clone's filter has. Copying takes a few nanoseconds a cache line.
func (c *Concurrent) Bytes() []byte { return c.copy() }

// SizeBytes returns the number of the filter's bytes, which never changes.
func (c *Concurrent) SizeBytes() int { return len(c.filter.data) }

// Hash returns the key hash.
func (c *Concurrent) Hash() keyhash.Hash { return c.filter.hash }

// NumProbes returns k, the number of bits that a key sets.
func (c *Concurrent) NumProbes() int { return c.filter.probes }

// Capacity returns the number of keys for which the filter has the bits per key that
// [NewConcurrent] was asked for. See [Mutable.Capacity].
func (c *Concurrent) Capacity() int { return c.room() }

// Full reports whether more keys were added than the filter has Capacity for. See
// [Mutable.Full].
func (c *Concurrent) Full() bool { return c.full() }

// PredictedFPR returns the false-positive rate to expect when the filter has the given number
// of different keys. See [Mutable.PredictedFPR].
func (c *Concurrent) PredictedFPR(keys int) float64 { return c.predictedFPR(keys) }

// EstimatedKeys returns the number of different keys that were added, computed from the
// bits that are set. See [Mutable.EstimatedKeys].
func (c *Concurrent) EstimatedKeys() float64 { return c.estimatedKeys() }

// EstimatedFPR returns the filter's false-positive rate, computed from the bits that are
// set. See [Mutable.EstimatedFPR].
func (c *Concurrent) EstimatedFPR() float64 { return c.estimatedFPR() }
