package bloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
	"github.com/simdbloom/simdbloom/internal/building"
)

// A filter is its body, whole blocks, and a trailer of five bytes.
const (
	trailerBytes = 5

	// The bytes of the trailer.
	trailerMarker   = 0 // which kind of filter
	trailerVariant  = 1 // which of the newer Bloom filters
	trailerProbes   = 2 // log2(block bytes)-6 in the top 3 bits, probes below
	trailerReserved = 3 // two bytes

	markerNewBloom  = 0xff
	markerRibbon    = 0xfe
	markerMaxLegacy = 0x7f // from 1 up to this, the number of probes

	variantFastLocal = 0

	probesMask = 1<<5 - 1
)

// numProbes returns k for bits per key in thousandths: RocksDB's choice, from
// tests of its accuracy (FastLocalBloomImpl::ChooseNumProbes).
func numProbes(millibits int) int {
	for i, most := range mostMillibits {
		if millibits <= most {
			return i + 1
		}
	}
	if millibits > 50_000 {
		return 24
	}
	return (millibits-1)/2000 - 1
}

// mostMillibits[i] is the most that is asked with i+1 probes.
var mostMillibits = [...]int{2080, 3580, 5100, 6640, 8300, 10070, 11720, 14001, 16050, 18300, 22001, 25501}

// format is the layout of a builder's filters.
type format struct {
	millibits int
	probes    int
	trailer   [trailerBytes]byte
}

func newFormat(millibits int) *format {
	f := &format{millibits: millibits, probes: numProbes(millibits)}
	f.trailer[trailerMarker] = markerNewBloom
	f.trailer[trailerVariant] = variantFastLocal
	f.trailer[trailerProbes] = byte(f.probes)
	return f
}

func (f *format) BodyBytes(hashes uint64) uint64 {
	bytes := (building.TotalMillibits(hashes, f.millibits) + 7999) / 8000
	return (bytes + asm.BlockBytes - 1) / asm.BlockBytes * asm.BlockBytes
}

func (f *format) MaxBodyBytes() uint64 { return asm.MaxBodyBytes }

func (f *format) Trailer() []byte { return f.trailer[:] }

func (f *format) UnitBlocks() int { return 1 }

func (f *format) Fill(body []byte, part building.Part) {
	for hashes := range part.Hashes() {
		asm.FastLocalAdd(body, f.probes, hashes)
	}
}

func (f *format) Reader(body []byte) answers.Reader { return answers.FastLocal(body, f.probes) }
