package legacy

import (
	"encoding/binary"
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
)

// A filter is its body, whole lines, and a trailer of five bytes: the number of probes, and
// the number of lines as a little-endian uint32.
const (
	trailerBytes = 5
	lineBits     = 8 * asm.BlockBytes

	mostBuiltProbes = 30
	mostBits        = 0xffff0000 // in a filter that RocksDB writes

	firstOtherMarker = 0x80 // from here on, the first byte of the trailer means other formats
	markerRibbon     = 0xfe
	markerNewBloom   = 0xff
)

// layout says how large a filter of some number of keys is.
type layout struct {
	bitsPerKey uint64 // whole, as the format has them
	pebble     bool
	limit      building.Limit
}

// wholeBits rounds bits per key to whole ones, as RocksDB does. Pebble's are whole, and may be
// 0, or more than RocksDB's 100.
func wholeBits(bitsPerKey float64, pebble bool) (uint64, error) {
	if pebble && bitsPerKey >= 0 && bitsPerKey < math.MaxInt32 {
		return uint64(math.Round(bitsPerKey)), nil
	}
	millibits, err := building.Millibits(bitsPerKey)
	return uint64(millibits+500) / 1000, err
}

// size returns the number of lines and of probes of a filter of the given number of keys, at
// least one.
func (l layout) size(keys int) (lines uint64, probes int) {
	bits := uint64(keys) * l.bitsPerKey
	switch {
	case !l.pebble:
		bits = min(bits, mostBits)
	case bits == 0:
		bits = 1 // Pebble has one line without bits per key
	}
	lines = odd(bits)
	most := l.limit.Body(asm.BlockBytes, uint64(math.MaxInt64)&^(asm.BlockBytes-1), trailerBytes) / asm.BlockBytes
	if lines > most {
		lines = most - (most+1)%2
		return lines, numProbes(lines * lineBits / uint64(keys))
	}
	return lines, numProbes(l.bitsPerKey)
}

// odd returns how many lines hold the bits. An even number becomes the next odd one, so that
// more of a hash's bits choose the line.
func odd(bits uint64) uint64 { return (bits+lineBits-1)/lineBits | 1 }

// numProbes returns k, a little less than ln(2) times the bits per key.
func numProbes(bitsPerKey uint64) int {
	return int(min(max(float64(bitsPerKey)*0.69, 1), mostBuiltProbes))
}

func putTrailer(trailer []byte, lines uint64, probes int) {
	trailer[0] = byte(probes)
	binary.LittleEndian.PutUint32(trailer[1:], uint32(lines))
}
