package linear

import (
	"encoding/binary"
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/formats/contents"
)

// A linear filter ends in a trailer (docs/linear.md): the multipliers of each layer's sections, and
// eight bytes.
const (
	layerBytes = 8
	endBytes   = 8

	// The bytes of the trailer's end.
	endCut    = 0 // between the sections
	endBits   = 1 // of a fingerprint
	endLayers = 2 // how many
	endMarker = 3 // where RocksDB's filters have their kind
	endName   = 4

	// linearMarker is read by RocksDB and Speedb as "may contain everything".
	linearMarker = 0x80
	linearName   = "LLF2"
	formerName   = "LLF1" // never released
)

// MostTrailerBytes is the size of the largest trailer.
const MostTrailerBytes = fallback.MaxLinearLayers*layerBytes + endBytes

// TrailerBytes returns the size of the trailer of a filter of the given number of layers.
func TrailerBytes(layers uint64) uint64 { return layers*layerBytes + endBytes }

// AppendTrailer appends the trailer of a linear filter.
func AppendTrailer(dst []byte, multipliers [][2]uint32, cut, bits int) []byte {
	for _, of := range multipliers {
		dst = binary.LittleEndian.AppendUint32(dst, of[0])
		dst = binary.LittleEndian.AppendUint32(dst, of[1])
	}
	dst = append(dst, byte(cut), byte(bits), byte(len(multipliers)), linearMarker)
	return append(dst, linearName...)
}

// Read reads the bytes of a linear filter.
func Read(data []byte) (c contents.Contents, flaw string) {
	if len(data) == 0 {
		return contents.Contents{Format: asm.Empty}, ""
	}
	trailer, flaw := TrailerOf(data, uint64(len(data)))
	if flaw != "" {
		return c, flaw
	}
	n := len(data) - len(trailer)
	return contents.Contents{Format: asm.Linear, Body: data[:n], Trailer: data[n:], Prepare: prepare}, ""
}

// TrailerOf returns the trailer of a filter of the given length, of which at least the last MostTrailerBytes, or all,
// are given, or its flaw.
func TrailerOf(tail []byte, length uint64) (trailer []byte, flaw string) {
	n := len(tail) - endBytes
	if n < 0 {
		return nil, "too short for the trailer, 8 bytes"
	}
	end := (*[endBytes]byte)(tail[n:])
	cut, r, layers := int(end[endCut]), int(end[endBits]), int(end[endLayers])
	n -= layerBytes * layers
	switch {
	case string(end[endName:]) == formerName:
		return nil, "format 1 of linear filters, which no release wrote, is not read"
	case string(end[endName:]) != linearName || end[endMarker] != linearMarker:
		return nil, "the trailer is not a linear filter's"
	case fallback.LinearSlotsOf(r) == 0:
		return nil, "no fingerprints have that many bits"
	case cut > 63 || cut > 0 && (r == fallback.MostLinearBits || layers == 0):
		return nil, "no sections have that cut"
	case layers > fallback.MaxLinearLayers:
		return nil, "more than 16 layers"
	case n < 0:
		return nil, "too short for the layers"
	}
	lines := uint64(0)
	for i := range layers {
		of := multipliersAt(tail[n+layerBytes*i:])
		switch {
		case of[1] == 0:
			return nil, "a layer has no lines"
		case of[0] > 0 && cut == 0:
			return nil, "a layer has a section that the cut leaves no keys"
		}
		lines += linesOf(of, cut)
	}
	if lines > math.MaxUint32 || lines*(asm.BlockBytes+1)+uint64(len(tail)-n) != length {
		return nil, "the layers do not add up to the filter's size"
	}
	return tail[n:], ""
}

func prepare(c contents.Contents) asm.Kernel { return asm.NewLinear(c.Body, LayersOf(&c)) }

// LayersOf returns the layers of a filter with a trailer.
func LayersOf(c *contents.Contents) fallback.LinearLayers {
	n := len(c.Trailer) - endBytes
	var multipliers [fallback.MaxLinearLayers][2]uint32
	for i := range n / layerBytes {
		multipliers[i] = multipliersAt(c.Trailer[layerBytes*i:])
	}
	layers, _ := fallback.NewLinearLayers(multipliers[:n/layerBytes], int(c.Trailer[n+endCut]), int(c.Trailer[n+endBits]))
	return layers
}

func multipliersAt(trailer []byte) [2]uint32 {
	return [2]uint32{binary.LittleEndian.Uint32(trailer), binary.LittleEndian.Uint32(trailer[4:])}
}
