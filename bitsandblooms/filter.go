// Package bitsandblooms queries the filters that [bits-and-blooms/bloom] stored, without copying them. The
// same bytes come from willf/bloom, its predecessor. Loki's data objects, Tempo's bloom-N objects
// and Weaviate's .bloom files have such filters. The package writes them, too, byte for byte.
//
// The original copies and converts a whole filter before the first lookup, in a hundred
// microseconds for 200,000 keys. [Open] reads 24 bytes, and a lookup costs tens of nanoseconds, more if
// the bytes are not cached:
//
//	f, err := bitsandblooms.Open(data) // what WriteTo wrote
//	f.ContainsString("apple")
//
// [Filter.ContainsKeys] and [Filter.ContainsHashes] look up many keys in one filter, [AppendFilters]
// looks up a key in many filters: both overlap cache misses. [Mutable] accepts keys, and has the bytes that
// WriteTo writes.
//
// New filters take less time in the formats of the [other packages], where a key's bits are in one or
// two cache lines. Here they are in k. Filter is a type of its own because a key's [Hash] has 256
// bits.
//
// [bits-and-blooms/bloom]: https://pkg.go.dev/github.com/bits-and-blooms/bloom/v3
// [other packages]: https://pkg.go.dev/github.com/simdbloom/simdbloom
package bitsandblooms

import (
	"encoding/binary"
	"math/bits"

	"github.com/simdbloom/simdbloom/internal/classic"
)

// Filter is a stored filter. [Open] returns it. It is immutable: any number of goroutines may use it at
// once. Queries allocate nothing.
type Filter struct {
	data []byte
	m    classic.Divisor
	flip uint64 // 7 if words are big-endian, otherwise 0
	k    int
}

func newFilter(data []byte, m uint64, k int, little bool) Filter {
	f := Filter{data: data, m: classic.NewDivisor(m), flip: 7, k: k}
	if little {
		f.flip = 0
	}
	return f
}

// Contains reports whether the key may have been added. False means that it was not.
//
// It costs one hash of the key plus one ContainsHash.
func (f *Filter) Contains(key []byte) bool { return f.ContainsHash(Sum(key)) }

// ContainsString is Contains of the string's bytes, without copying them.
func (f *Filter) ContainsString(key string) bool { return f.ContainsHash(SumString(key)) }

// ContainsHash is Contains of a key by its hash. Use it to look up a key in many filters and hash it
// once.
//
// It costs a few nanoseconds for each probe that is cached, otherwise a cache miss for each: some of
// these overlap. It ends at an absent key's first zero bit or the one behind.
func (f *Filter) ContainsHash(hash Hash) bool { return f.containsFrom(hash, 0) }

// containsFrom reports whether all probes of a hash from i on, an even number, find their bits. There are
// four kinds of probes: H0 + i*H2, H1 + i*H3, H0 + i*H3, H1 + i*H2, and again.
func (f *Filter) containsFrom(hash Hash, i int) bool {
	x, y := hash.H2, hash.H3
	if i&2 != 0 {
		x, y = y, x
	}
	for ; i+1 < f.k; i += 2 {
		if f.bit(hash.H0+uint64(i)*x)&f.bit(hash.H1+uint64(i+1)*y)&1 == 0 {
			return false
		}
		x, y = y, x
	}
	return i >= f.k || f.bit(hash.H0+uint64(i)*x)&1 != 0
}

// probe returns where probe i looks, before it is taken modulo m.
func (h *Hash) probe(i int) uint64 {
	from, step := h.H0, h.H2
	if i&1 != 0 {
		from = h.H1
	}
	if (i+1)&2 != 0 {
		step = h.H3
	}
	return from + uint64(i)*step
}

// bit returns in bit 0 the bit at x modulo m, with others above it. Behind the bitset, all are 0.
func (f *Filter) bit(x uint64) uint64 {
	at, bit := f.place(x)
	if at >= uint64(len(f.data)) {
		return 0
	}
	return uint64(f.data[at]) >> bit
}

// place returns the byte that has the bit at x modulo m, and which of its bits that is.
func (f *Filter) place(x uint64) (at, bit uint64) {
	bit = f.m.Remainder(x)
	return headerBytes + (bit/8 ^ f.flip), bit % 8
}

// M returns the number of bits. The original calls it Cap.
func (f *Filter) M() uint64 { return f.m.M() }

// K returns the number of probes, and so of bits that a key sets. A filter with k = 0, which FromWithM of
// the original can make, contains every key.
func (f *Filter) K() int { return f.k }

// Bytes returns the stored bytes, without the bytes behind the filter that Open was given. Do not
// change them.
func (f *Filter) Bytes() []byte { return f.data }

// SizeBytes returns the length of Bytes: 24, and 8 for each 64 bits that are stored.
func (f *Filter) SizeBytes() int { return len(f.data) }

// EstimatedFPR returns the filter's false-positive rate, computed from the bits that are set: the
// share of ones to the power of k. It reads the whole filter, at some gigabytes a second.
func (f *Filter) EstimatedFPR() float64 {
	return classic.FPR(f.ones(), f.m.M(), f.k)
}

// EstimatedKeys returns about how many different keys were added, computed from the bits that are set:
// +Inf if all are. It reads the whole filter, as EstimatedFPR does. The original's
// ApproximatedSize is the same, rounded. With k = 0, keys leave no trace: it returns 0.
func (f *Filter) EstimatedKeys() float64 {
	if f.k == 0 {
		return 0
	}
	return classic.Keys(f.ones(), f.m.M(), f.k)
}

// ones counts the bits below m that are set.
func (f *Filter) ones() uint64 {
	m := f.m.M()
	whole := min(m/64, uint64(len(f.data)-headerBytes)/classic.WordBytes)
	n := classic.Ones(f.data[headerBytes : headerBytes+classic.WordBytes*whole])
	if beyond := m % 64; beyond > 0 {
		n += uint64(bits.OnesCount64(f.word(whole) << (64 - beyond)))
	}
	return n
}

// word returns word i of the bitset, 0 if there is none.
func (f *Filter) word(i uint64) uint64 {
	at := headerBytes + classic.WordBytes*i
	if at >= uint64(len(f.data)) {
		return 0
	}
	if f.flip == 0 {
		return binary.LittleEndian.Uint64(f.data[at:])
	}
	return binary.BigEndian.Uint64(f.data[at:])
}
