package dcso

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/classic"
)

const (
	headerBytes = 48 // flags, n, p, k, m, N
	oldestBytes = 24 // n, p, k, m, N: the integers have 32 bits
	version     = 1  // the low byte of the flags
)

// Open returns the filter in data, which DCSO/bloom's Write, flor, fleur or Poppy wrote. It copies nothing,
// needs constant time and allocates the Filter only. The bytes must neither change nor be freed while the
// filter is in use.
//
// The bytes behind the bits are free data, of any length: see [Filter.Data]. Of the flags, only the
// version counts, as in the original, which writes zeros otherwise. Headers of v0.2.0 and before, of 24
// bytes without flags, are read if their numbers of bits and of probes follow from n and p.
//
// The error wraps [simdbloom.ErrCorrupt] and describes the mistake: the version, n, k or m of 0, k above 65,536,
// p that is not above 0 and below 1, or fewer bytes than m bits. Compressed bytes are an error, too: [Read] reads
// them. The format has no checksum: other corrupt bytes open without an error. Lookups in them are safe, and their
// answers mean nothing. [Filter.Verify] finds more.
func Open(data []byte) (*Filter, error) {
	f, err := open(data)
	if err != nil {
		return nil, err
	}
	return &f, nil
}

// MayContain is Open and Contains in one call, without allocating. If Open refuses the bytes, it
// answers true.
//
// Use it where every lookup finds the bytes anew, as in a cache of blocks. It costs two divisions more
// than Contains. Any number of goroutines may call it at once.
func MayContain(data, key []byte) bool {
	h, flaw := readHeader(data, len(data))
	if flaw != sound {
		return true
	}
	f := filterOf(data, h, h.assumedRule())
	return f.Contains(key)
}

func open(data []byte) (Filter, error) {
	h, flaw := readHeader(data, len(data))
	if flaw != sound {
		return Filter{}, fmt.Errorf("dcso: %w: %d bytes: %s", simdbloom.ErrCorrupt, len(data), flaw.of(data))
	}
	return filterOf(data, h, h.assumedRule()), nil
}

func filterOf(data []byte, h header, rule Rule) Filter {
	return Filter{header: h, data: data[:len(data):len(data)], m: classic.NewDivisor(h.bits), rule: rule, array: classic.BitsOf(data[h.words:h.end])}
}

// flaw is a mistake in a filter's bytes.
type flaw int

const (
	sound flaw = iota
	noHeader
	compressed
	otherVersion
	noCapacity
	badRate
	noProbes
	tooManyProbes
	noBits
	tooShort
)

// of returns the flaw of the bytes in words.
func (f flaw) of(data []byte) string {
	number := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	switch f {
	case noHeader:
		return fmt.Sprintf("too short for a header, %d bytes", headerBytes)
	case compressed:
		return "they are in gzip: Read reads that"
	case otherVersion:
		if data[0] == 2 {
			return "the version is 2, which is Poppy's own format, not 1"
		}
		return fmt.Sprintf("the version is %d, not %d", data[0], version)
	case noCapacity:
		return "n is 0"
	case badRate:
		return fmt.Sprintf("p must be above 0 and below 1, not %v", math.Float64frombits(number(16)))
	case noProbes:
		return "k is 0"
	case tooManyProbes:
		return fmt.Sprintf("k is %d, more than %d", number(24), classic.MostProbes)
	case noBits:
		return "m is 0"
	default:
		return fmt.Sprintf("too short for %d bits", number(32))
	}
}

// readHeader returns the header that the bytes begin with, of a filter in the given number of bytes.
func readHeader(data []byte, size int) (h header, is flaw) {
	if h, ok := readOldest(data, size); ok {
		return h, sound
	}
	switch {
	case isGzip(data):
		return h, compressed
	case len(data) < headerBytes:
		return h, noHeader
	case data[0] != version:
		return h, otherVersion
	}
	h.capacity = binary.LittleEndian.Uint64(data[8:])
	h.rate = math.Float64frombits(binary.LittleEndian.Uint64(data[16:]))
	k := binary.LittleEndian.Uint64(data[24:])
	h.bits = binary.LittleEndian.Uint64(data[32:])
	switch {
	case h.capacity == 0:
		return h, noCapacity
	case !(h.rate > 0 && h.rate < 1):
		return h, badRate
	case k == 0:
		return h, noProbes
	case k > classic.MostProbes:
		return h, tooManyProbes
	case h.bits == 0:
		return h, noBits
	case !h.place(headerBytes, size):
		return h, tooShort
	}
	h.k = int(k)
	return h, sound
}

// readOldest returns a header of v0.2.0 and before. Nothing marks these, but all numbers depend on n and p:
// in a header of another version they would not fit each other.
func readOldest(data []byte, size int) (h header, ok bool) {
	if len(data) < oldestBytes {
		return h, false
	}
	h.capacity = uint64(binary.LittleEndian.Uint32(data))
	h.rate = math.Float64frombits(binary.LittleEndian.Uint64(data[4:]))
	h.k = int(binary.LittleEndian.Uint32(data[12:])) // the largest plausible one is 1,074
	h.bits = uint64(binary.LittleEndian.Uint32(data[16:]))
	return h, h.isPlausible() && h.place(oldestBytes, size)
}

// place finds out where the bits are, and reports whether the given number of bytes, at least the header's,
// has them all.
func (h *header) place(header, size int) bool {
	words := classic.Words(h.bits)
	if words > uint64(size-header)/classic.WordBytes {
		return false
	}
	h.words, h.end = header, header+classic.WordBytes*int(words)
	return true
}

// isPlausible reports whether m and k are those that n and p give: m is above 0, and so n is, and p is above 0 and
// below 1. The last bits of a logarithm may differ between languages.
func (h *header) isPlausible() bool {
	const last = 1.0 / (1 << 50)
	exact, m := bitsFor(h.capacity, h.rate), float64(h.bits)
	return h.bits > 0 && math.Floor(exact*(1-last)) <= m && m <= math.Floor(exact*(1+last)) && probesFor(m, h.capacity) == float64(h.k)
}

// isGzip reports whether the bytes begin as gzip's do.
func isGzip(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b, 8}) }
