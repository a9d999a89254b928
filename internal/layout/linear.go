package layout

import (
	"encoding/binary"
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// A linear filter ends in a trailer (docs/linear.md): the number of lines in each layer, and
// eight bytes.
const (
	layerBytes = 4
	endBytes   = 8

	// The bytes of the trailer's end.
	endBits    = 0 // of a fingerprint
	endLayers  = 1 // how many
	endVersion = 2
	endMarker  = 3 // where RocksDB's filters say what they are
	endName    = 4

	linearVersion = 1
	// linearMarker is what RocksDB and Speedb read as "may contain everything".
	linearMarker = 0x80
	linearName   = "LLF1"
)

// LinearTrailerBytes returns the size of the trailer of a filter of the given number of layers.
func LinearTrailerBytes(layers uint64) uint64 { return layers*layerBytes + endBytes }

// AppendLinear appends the trailer of a linear filter.
func AppendLinear(dst []byte, layers []uint32, bits int) []byte {
	for _, lines := range layers {
		dst = binary.LittleEndian.AppendUint32(dst, lines)
	}
	dst = append(dst, byte(bits), byte(len(layers)), linearVersion, linearMarker)
	return append(dst, linearName...)
}

// Linear reads the bytes of a linear filter.
func Linear(data []byte) (c Contents, flaw string) {
	if len(data) == 0 {
		return Contents{Format: asm.Empty, Bits: fallback.MostLinearBits}, ""
	}
	n := len(data) - endBytes
	if n < 0 {
		return c, "too short for the trailer, 8 bytes"
	}
	end := (*[endBytes]byte)(data[n:])
	r, layers := int(end[endBits]), int(end[endLayers])
	n -= layerBytes * layers
	switch {
	case string(end[endName:]) != linearName || end[endMarker] != linearMarker:
		return c, "the trailer is not a linear filter's"
	case end[endVersion] != linearVersion:
		return c, "the version is not 1"
	case fallback.LinearSlotsOf(r) == 0:
		return c, "no fingerprints have that many bits"
	case layers > fallback.MaxLinearLayers:
		return c, "more than 16 layers"
	case n < 0:
		return c, "too short for the numbers of lines in the layers"
	}
	c = Contents{Format: asm.Linear, Body: data[:n], Bits: r, NumLayers: layers}
	sum := uint64(0)
	for i := range layers {
		lines := binary.LittleEndian.Uint32(data[n+layerBytes*i:])
		if lines == 0 {
			return c, "a layer has no lines"
		}
		c.lines[i] = lines
		sum += uint64(lines)
	}
	if sum > math.MaxUint32 || sum*asm.BlockBytes != uint64(n) {
		return c, "the layers do not add up to the filter's size"
	}
	return c, ""
}
