package bitsandblooms

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/classic"
	"github.com/simdbloom/simdbloom/internal/nocopy"
)

// Mutable is a filter that accepts keys. Its bytes are at every moment those that the original's
// WriteTo writes for the same m, k and keys.
//
// Any number of goroutines may query a Mutable at once. While one adds keys, no other may use it.
// Adding and queries allocate nothing. Do not copy a Mutable: both would have the same bits, and go vet reports it.
type Mutable struct {
	_      nocopy.Mark
	filter Filter
}

// newMutable returns a filter of m bits and k probes, without keys.
func newMutable(m uint64, k int) (*Mutable, error) {
	switch {
	case m == 0:
		return nil, errors.New("bitsandblooms: m must be at least 1, not 0")
	case k < 1 || k > classic.MostProbes:
		return nil, fmt.Errorf("bitsandblooms: k must be 1 to %d, not %d", classic.MostProbes, k)
	case !fits(m, mostBytes):
		return nil, fmt.Errorf("bitsandblooms: a filter of %d bits is %w", m, simdbloom.ErrTooLarge)
	}
	data := aligned.Make(headerBytes + classic.WordBytes*int(classic.Words(m)))
	binary.BigEndian.PutUint64(data, m)
	binary.BigEndian.PutUint64(data[8:], uint64(k))
	binary.BigEndian.PutUint64(data[16:], m)
	return &Mutable{filter: newFilter(data, m, k, false)}, nil
}

// mostBytes is the size of the largest filter. Far beyond it, Go does not allocate, but panics.
const mostBytes = min(math.MaxInt-aligned.Slack, 1<<46)

// NewForRate returns a filter for n keys, at least 1, at a false-positive rate, above 0 and below 1,
// without keys, as the original's NewWithEstimates does. The error wraps [simdbloom.ErrTooLarge] if a slice on this
// machine is too small for it.
func NewForRate(n uint64, rate float64) (*Mutable, error) {
	if n == 0 || !(rate > 0 && rate < 1) {
		return nil, fmt.Errorf("bitsandblooms: n must be at least 1, and the rate above 0 and below 1, not %d and %v", n, rate)
	}
	return newMutable(parameters(n, rate))
}

// parameters returns the number of bits and of probes for n keys and a false-positive rate: those that the original's
// EstimateParameters returns, where it has room for m.
func parameters(n uint64, rate float64) (m uint64, k int) {
	// In the same order as the original's, because floating-point numbers round.
	m = math.MaxUint64
	if bits := math.Ceil(-1 * float64(n) * math.Log(rate) / math.Pow(math.Log(2), 2)); bits < 1<<64 {
		m = uint64(bits)
	}
	return m, int(math.Ceil(math.Log(2) * float64(m) / float64(n)))
}

// Add adds a key. It costs the key's hash and k cache lines.
func (m *Mutable) Add(key []byte) { m.AddHash(Sum(key)) }

// AddString is Add of the string's bytes, without copying them.
func (m *Mutable) AddString(key string) { m.AddHash(SumString(key)) }

// AddHash adds a key by its hash.
func (m *Mutable) AddHash(hash Hash) {
	f := &m.filter
	x, y := hash.H2, hash.H3
	for i := 0; i < f.k; i += 2 {
		f.set(hash.H0 + uint64(i)*x)
		if i+1 < f.k {
			f.set(hash.H1 + uint64(i+1)*y)
		}
		x, y = y, x
	}
}

// set sets the bit at x modulo m, which exists.
func (f *Filter) set(x uint64) {
	at, bit := f.place(x)
	f.data[at] |= 1 << bit
}

// Filter returns the filter for queries. It has the same bytes, and so the keys that are added
// later.
func (m *Mutable) Filter() *Filter { return &m.filter }

// Bytes returns the bytes to store, as the original's WriteTo writes them. They are the filter's own memory, so write
// them before the next key is added, and do not change them.
func (m *Mutable) Bytes() []byte { return m.filter.data }
