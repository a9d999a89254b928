package bitsandblooms

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/classic"
)

// The header is m, k and the length of the bitset in bits.
const headerBytes = 24

// Open returns the filter with which data begins, written by WriteTo, MarshalBinary or GobEncode of
// bits-and-blooms/bloom or of willf/bloom. It copies nothing, needs constant time and
// allocates the Filter only. The bytes must neither change nor be freed while the filter is in use.
//
// As in the original's ReadFrom, bytes behind the filter are ignored ([Filter.SizeBytes] is where they
// begin), and the bitset may have another length than m: a longer one if FromWithM made the filter, a
// shorter one if that had too few words, or if New(0, k) did and no key was added. Bits that are not there
// are zeros. The words are big-endian, or little-endian if the program that wrote them had
// called bitset.LittleEndian: Open finds out which.
//
// The error wraps [simdbloom.ErrCorrupt] and describes the mistake: too few bytes, m = 0, k above
// 65,536, or bits behind a bitset that is shorter than m. The format has no checksum: other corrupt
// bytes open without an error. Lookups in them are safe, and their answers mean nothing. Weaviate's files
// begin with a checksum: see the example.
func Open(data []byte) (*Filter, error) {
	f, flaw := read(data)
	if flaw != sound {
		return nil, fmt.Errorf("bitsandblooms: %w: %d bytes: %s", simdbloom.ErrCorrupt, len(data), flaw.of(data))
	}
	return &f, nil
}

// MayContain is Open and Contains in one call, without allocating. If Open refuses the bytes, it
// answers true.
//
// Use it where every lookup finds the bytes anew, as in a cache of blocks. It costs a division more
// than Contains. Any number of goroutines may call it at once.
func MayContain(data, key []byte) bool { return MayContainHash(data, Sum(key)) }

// MayContainHash is MayContain of a key by its hash.
func MayContainHash(data []byte, hash Hash) bool {
	f, flaw := read(data)
	return flaw != sound || f.ContainsHash(hash)
}

// flaw is a mistake in a filter's bytes.
type flaw int

const (
	sound flaw = iota
	noHeader
	noBits
	tooManyProbes
	tooShort
	strayBits
)

// of returns the flaw of the bytes in words.
func (f flaw) of(data []byte) string {
	switch f {
	case noHeader:
		return "too short for a header, 24 bytes"
	case noBits:
		return "m is 0"
	case tooManyProbes:
		return fmt.Sprintf("k is %d, more than %d", binary.BigEndian.Uint64(data[8:]), classic.MostProbes)
	case tooShort:
		length := binary.BigEndian.Uint64(data[16:])
		return fmt.Sprintf("too short for a bitset of %d bits", min(length, bits.ReverseBytes64(length)))
	default:
		return "the last word has bits behind the bitset"
	}
}

// read returns the filter that the bytes begin with.
func read(data []byte) (f Filter, is flaw) {
	if len(data) < headerBytes {
		return f, noHeader
	}
	m, k := binary.BigEndian.Uint64(data), binary.BigEndian.Uint64(data[8:])
	switch {
	case m == 0:
		return f, noBits
	case k > classic.MostProbes:
		return f, tooManyProbes
	}
	length, little := readLength(binary.BigEndian.Uint64(data[16:]), m, len(data))
	if !fits(length, len(data)) {
		return f, tooShort
	}
	size := headerBytes + classic.WordBytes*int(classic.Words(length))
	f = newFilter(data[:size:size], m, int(k), little)
	if length < m && f.word(length/64)>>(length%64) != 0 {
		return f, strayBits
	}
	return f, sound
}

// readLength returns the length of the bitset in bits, and whether it is little-endian, from its
// big-endian value, m, and the number of bytes.
//
// Below 2^32 bits, 512 MiB, a length in the wrong order is 2^32 or more. So only in a larger file can
// both fit: then it is the one that is m, as in all filters that New made, or the larger one.
func readLength(big, m uint64, size int) (length uint64, isLittle bool) {
	little := bits.ReverseBytes64(big)
	if big == m || !fits(little, size) {
		return big, false
	}
	if little == m || little > big || !fits(big, size) {
		return little, true
	}
	return big, false
}

// fits reports whether the words of a bitset are within the given number of bytes, at least the header's.
func fits(length uint64, size int) bool {
	return classic.Words(length) <= uint64(size-headerBytes)/classic.WordBytes
}
