package linear

import (
	"encoding/binary"
	"math"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/linearplan"
)

// A filter is its body, the lines of all layers, and a trailer (docs/linear-format.md): the number
// of lines in each layer, and eight bytes.
const (
	layerBytes = 4
	endBytes   = 8

	// The bytes of the trailer's end.
	endBits    = 0 // of a fingerprint
	endLayers  = 1 // how many
	endVersion = 2
	endMarker  = 3 // where RocksDB's filters say what they are
	endName    = 4

	version = 1
	// marker is what RocksDB and Speedb read as "may contain everything".
	marker = 0x80
	name   = "LLF1"

	longestTrailer = asm.MaxLinearLayers*layerBytes + endBytes
	leastLimit     = asm.BlockBytes + longestTrailer
)

// layout is what a builder's options say. It and the number of keys give a filter's size.
type layout struct {
	millibits uint64
	limit     building.Limit
}

// millibitsOf returns bits per key in thousandths.
func millibitsOf(bitsPerKey float64) (uint64, error) {
	if err := building.CheckBitsPerKey(bitsPerKey); err != nil {
		return 0, err
	}
	return uint64(math.Round(min(bitsPerKey*1000, linearplan.MaxMillibits))), nil
}

// mostLines returns the largest number of lines within the limit.
func (l layout) mostLines() uint64 {
	most := l.limit.Body(asm.BlockBytes, linearplan.MaxLines*asm.BlockBytes, longestTrailer)
	return most / asm.BlockBytes // beyond MaxLines without a limit
}

// plan returns the number of bits in a fingerprint and the most lines of a filter of at
// least one key.
func (l layout) plan(keys uint64) (r int, lines uint64) {
	return linearplan.PlanWithin(keys, l.millibits, l.mostLines())
}

// lines returns the most lines of a filter.
func (l layout) lines(keys uint64) uint64 {
	if keys == 0 {
		return 0
	}
	return linearplan.LinesWithin(keys, l.millibits, l.mostLines())
}

// mostBytes returns the largest size of a filter that has at most the given number of lines.
func mostBytes(lines uint64) uint64 {
	return lines*asm.BlockBytes + min(lines, asm.MaxLinearLayers)*layerBytes + endBytes
}

// appendTrailer appends what follows the lines.
func appendTrailer(dst []byte, layers []uint32, r int) []byte {
	for _, lines := range layers {
		dst = binary.LittleEndian.AppendUint32(dst, lines)
	}
	dst = append(dst, byte(r), byte(len(layers)), version, marker)
	return append(dst, name...)
}

// contents is what a filter's bytes say.
type contents struct {
	body   []byte
	r      int // bits of a fingerprint
	layers int
}

// layerLines are the numbers of lines in the layers.
type layerLines [asm.MaxLinearLayers]uint32

// read finds out what the bytes say, or what is wrong with them. It fills in the lines of
// the layers. It allocates nothing.
func read(data []byte, lines *layerLines) (c contents, flaw string) {
	if len(data) == 0 {
		return contents{r: asm.MostLinearBits}, ""
	}
	n := len(data) - endBytes
	if n < 0 {
		return contents{}, "too short for the trailer, 8 bytes"
	}
	end := (*[endBytes]byte)(data[n:])
	if string(end[endName:]) != name || end[endMarker] != marker {
		return contents{}, "the trailer is not a linear filter's"
	}
	if end[endVersion] != version {
		return contents{}, "the version is not 1"
	}
	c.r, c.layers = int(end[endBits]), int(end[endLayers])
	if asm.LinearSlotsOf(c.r) == 0 {
		return contents{}, "no fingerprints have that many bits"
	}
	if c.layers > asm.MaxLinearLayers {
		return contents{}, "more than 16 layers"
	}
	n -= layerBytes * c.layers
	if n < 0 {
		return contents{}, "too short for the numbers of lines in the layers"
	}
	sum := uint64(0)
	for i := range c.layers {
		layer := binary.LittleEndian.Uint32(data[n+layerBytes*i:])
		if layer == 0 {
			return contents{}, "a layer has no lines"
		}
		lines[i] = layer
		sum += uint64(layer)
	}
	if sum > linearplan.MaxLines || sum*asm.BlockBytes != uint64(n) {
		return contents{}, "the layers do not add up to the filter's size"
	}
	c.body = data[:n]
	return c, ""
}
