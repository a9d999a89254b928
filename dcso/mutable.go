package dcso

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

// Mutable is a filter that accepts keys. Its bytes are at every moment those that the original's Write gives after the
// same keys.
//
// Any number of goroutines may query a Mutable at once. While one adds keys, no other may use it.
// Adding and queries allocate nothing. Do not copy a Mutable: both would have the same bits, and go vet reports it.
type Mutable struct {
	_      nocopy.Mark
	filter Filter
}

// mostBytes is the size of the largest filter. Far beyond it, Go does not allocate, but panics.
const mostBytes = min(math.MaxInt-aligned.Slack, 1<<46)

// New returns a filter for n keys, at least 1, at a false-positive rate, above 0 and below 1, without keys: that
// of the original's Initialize, with the rule Multiply. The error wraps [simdbloom.ErrTooLarge] if a slice on this
// machine is too small for it. More keys than n are not refused. They raise the rate.
func New(n uint64, fpr float64) (*Mutable, error) {
	if n == 0 || !(fpr > 0 && fpr < 1) {
		return nil, fmt.Errorf("dcso: n must be at least 1, and the rate above 0 and below 1, not %d and %v", n, fpr)
	}
	m := math.Floor(bitsFor(n, fpr))
	if !(m < (mostBytes-headerBytes-classic.WordBytes)*8) {
		return nil, fmt.Errorf("dcso: a filter of %.0f bits is %w", m, simdbloom.ErrTooLarge)
	}
	if m == 0 {
		return nil, fmt.Errorf("dcso: %d keys at a rate of %v have no bits", n, fpr)
	}
	h := header{capacity: n, rate: fpr, bits: uint64(m), k: int(probesFor(m, n))}
	data := aligned.Make(headerBytes + classic.WordBytes*int(classic.Words(h.bits)))
	for i, word := range []uint64{version, n, math.Float64bits(fpr), uint64(h.k), h.bits} {
		binary.LittleEndian.PutUint64(data[8*i:], word)
	}
	h.place(headerBytes, len(data))
	return &Mutable{filter: filterOf(data, h, Multiply)}, nil
}

// MutableCopy returns a copy of the filter that accepts keys, with the same rule, header and data.
func (f *Filter) MutableCopy() *Mutable {
	return &Mutable{filter: filterOf(aligned.Copy(f.data), f.header, f.rule)}
}

// Add adds a key. It costs the key's hash and k cache lines.
func (m *Mutable) Add(key []byte) { m.AddHash(Sum(key)) }

// AddString is Add of the string's bytes, without copying them.
func (m *Mutable) AddString(key string) { m.AddHash(SumString(key)) }

// AddHash adds a key by its hash.
func (m *Mutable) AddHash(hash uint64) {
	f := &m.filter
	s := f.rule.start(hash)
	zeros := byte(0)
	for i := 1; i <= f.k; i++ {
		s = f.rule.next(s, i)
		bit := f.m.Remainder(s.at)
		at := f.words + int(bit/8)
		zeros |= ^f.data[at] >> (bit % 8) & 1
		f.data[at] |= 1 << (bit % 8)
	}
	if zeros != 0 {
		f.setKeys(f.Keys() + 1)
	}
}

// setKeys changes the number of keys in the header.
func (f *Filter) setKeys(n uint64) {
	if f.isOldest() {
		binary.LittleEndian.PutUint32(f.data[20:], uint32(n))
		return
	}
	binary.LittleEndian.PutUint64(f.data[40:], n)
}

// Join adds the keys of another filter with the same n, p, k, m and rule, as the original's Join does. Keys
// becomes the sum of both. The data stay. An error leaves m as it was.
func (m *Mutable) Join(other *Filter) error {
	f := &m.filter
	a, b := f.header, other.header
	if a != b || f.rule != other.rule {
		return errors.New("dcso: the filters have another n, p, k, m, header or rule")
	}
	n := f.Keys() + other.Keys()
	if n < f.Keys() || f.isOldest() && n > math.MaxUint32 {
		return errors.New("dcso: the sum of the numbers of keys is too large for the header")
	}
	to, from := f.data[f.words:f.end], other.data[other.words:other.end]
	for i := 0; i < len(to); i += classic.WordBytes {
		binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(to[i:])|binary.LittleEndian.Uint64(from[i:]))
	}
	f.setKeys(n)
	return nil
}

// SetData replaces the free data behind the filter by a copy of the given bytes.
func (m *Mutable) SetData(data []byte) {
	f := &m.filter
	grown := aligned.Make(f.end + len(data))
	copy(grown, f.data[:f.end])
	copy(grown[f.end:], data)
	*f = filterOf(grown, f.header, f.rule)
}

// Filter returns the filter for queries. It has the same bytes, and so the keys that are added
// later, until SetData.
func (m *Mutable) Filter() *Filter { return &m.filter }

// Bytes returns the bytes to store, as the original's Write writes them, also to a [compress/gzip.Writer]. They are the
// filter's own memory, so write them before the next key is added, and do not change them.
func (m *Mutable) Bytes() []byte { return m.filter.data }
