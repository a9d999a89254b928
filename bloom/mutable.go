package bloom

import (
	"errors"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/keyhash"
)

// Mutable is a filter of fixed size that takes keys and answers at any time. Its bytes are
// a FastLocal filter at every moment, as a [Builder] of the same size and number of probes
// builds it from the same keys.
//
// Any number of goroutines may query a Mutable at once. While one goroutine adds keys,
// unites or resets, no other may use it: take [Concurrent] for that. The zero Mutable has no
// bytes: adding and queries panic until UnmarshalBinary or ReadFrom fills it.
//
// Adding and queries allocate nothing, except AppendHits if dst is too small.
type Mutable struct{ growing }

// NewMutable returns a filter without keys, of the size and the number of probes that
// [NewBuilder] chooses for the given number of keys at the given bits per key: at least one
// block of 64 bytes. 0 keys count as 1.
//
// More keys than that may be added. All are found, and the false-positive rate rises: see
// [Mutable.Full].
//
// The same arguments as of NewBuilder are errors, and so is a number of keys below 0. The
// error wraps [ErrTooLarge] if the keys need more bytes than the format's 4 GiB, or than a
// slice can have on this machine.
func NewMutable(keys int, bitsPerKey float64, hash keyhash.Hash) (*Mutable, error) {
	g, err := newGrowing(keys, bitsPerKey, hash, asm.NewFastLocal)
	if err != nil {
		return nil, wrap(err)
	}
	return &Mutable{g}, nil
}

// OpenMutable returns a filter that begins with a copy of stored bytes, of a Mutable or of
// any FastLocal filter. It neither changes nor keeps data. hash must be the key hash that
// the filter was built with.
//
// The error wraps [ErrCorrupt] where that of [Open] does. Filters of all other kinds are
// errors, too, and so are zero bytes, which have no room for a key. These do not wrap it.
func OpenMutable(data []byte, hash keyhash.Hash) (*Mutable, error) {
	g, err := openGrowing(aligned.Copy(data), hash, asm.NewFastLocal)
	if err != nil {
		return nil, wrap(err)
	}
	return &Mutable{g}, nil
}

// Clone returns a filter of its own with the same keys.
func (m *Mutable) Clone() *Mutable { return &Mutable{m.clone(asm.NewFastLocal)} }

// Snapshot returns an immutable filter over a copy of the bytes as they are now.
//
// When no more keys come, [Open] of Bytes gives the immutable filter without a copy.
func (m *Mutable) Snapshot() *Filter { return m.snapshot() }

// Union adds all keys of another filter, which does not change. The other must have the
// same size, number of probes and key hash: otherwise Union changes nothing, and its error
// says what differs.
//
// It reads and writes the whole filter, at a nanosecond or two a cache line in the caches.
func (m *Mutable) Union(other *Mutable) error {
	if other == nil {
		return wrap(errNoOther)
	}
	return wrap(m.union(&other.growing))
}

var errNoOther = errors.New("the other filter is nil")

// Reset removes all keys.
func (m *Mutable) Reset() { m.filter.kernel.Clear() }

// Bytes returns the filter's bytes, which [Open], [OpenMutable] and RocksDB read. They are
// the filter's own memory: they change as keys are added, and must not be changed otherwise.
func (m *Mutable) Bytes() []byte { return m.filter.data }

// SizeBytes returns the number of the filter's bytes, which never changes.
func (m *Mutable) SizeBytes() int { return len(m.filter.data) }

// Hash returns the key hash.
func (m *Mutable) Hash() keyhash.Hash { return m.filter.hash }

// NumProbes returns k, the number of bits that a key sets.
func (m *Mutable) NumProbes() int { return m.filter.probes }

// Capacity returns the number of keys for which the filter has the bits per key that
// [NewMutable] was asked for: since sizes are multiples of 64 bytes, as many as it was made
// for or a few more. Bytes do not say what was asked for. A filter from [OpenMutable] has the
// largest capacity for which RocksDB chooses its number of probes: with 6 of them, that of
// 8.301 bits per key.
func (m *Mutable) Capacity() int { return m.room() }

// Full reports whether more keys were added than the filter has Capacity for, so that its
// false-positive rate is above [PredictedFPR] of that many. Nothing fails then: the filter
// goes on taking keys, and the rate goes on rising.
//
// It compares EstimatedKeys with Capacity, and costs as much as EstimatedKeys: do not call it
// for every key. Full is true from twice the square root of Capacity beyond it, so that an
// estimate's error does not count: from 1 % beyond 40,000 keys and 6 % beyond 1,000.
func (m *Mutable) Full() bool { return m.full() }

// PredictedFPR returns the false-positive rate to expect when the filter has the given number
// of different keys. It is 0 without keys. It takes about ten microseconds, and far beyond
// Capacity up to a millisecond.
func (m *Mutable) PredictedFPR(keys int) float64 { return m.predictedFPR(keys) }

// EstimatedKeys returns the number of different keys that were added, computed from the
// bits that are set. Its standard deviation is below the square root of the number. It is
// +Inf if all bits are set.
//
// It reads the whole filter, at a few nanoseconds a cache line.
func (m *Mutable) EstimatedKeys() float64 { return m.estimatedKeys() }

// EstimatedFPR returns the filter's false-positive rate, computed from the bits that are
// set: 0 without keys, 1 if all bits are set. It reads the whole filter, at tens of
// nanoseconds a cache line.
func (m *Mutable) EstimatedFPR() float64 { return m.estimatedFPR() }
