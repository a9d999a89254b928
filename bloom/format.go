package bloom

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/cpu"
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

// mostMillibits[i] is the most bits per key that take i+1 probes.
var mostMillibits = [...]int{2080, 3580, 5100, 6640, 8300, 10070, 11720, 14001, 16050, 18300, 22001, 25501}

// layout is what a builder's options say. It and the number of keys give a filter's
// format.
type layout struct {
	millibits int
	limit     building.Limit
}

// format returns the format of a filter of the given number of hashes: as large as the
// bits per key require, or, if the limit is below that, as large as it allows, with the
// number of probes that suits the bits per key that are left.
func (l layout) format(hashes uint64) format {
	body := bodyBytes(hashes, l.millibits)
	if most := l.limit.Body(asm.BlockBytes, asm.MaxBodyBytes, trailerBytes); body > most {
		return newFormat(most, numProbes(building.RealMillibits(most, hashes)))
	}
	return newFormat(body, numProbes(l.millibits))
}

// bodyBytes returns the size of the body for the given number of hashes, whether the format
// allows it or not.
func bodyBytes(hashes uint64, millibits int) uint64 {
	bytes := (building.TotalMillibits(hashes, millibits) + 7999) / 8000
	return (bytes + asm.BlockBytes - 1) / asm.BlockBytes * asm.BlockBytes
}

// format has the size, the probes and the trailer of one filter.
type format struct {
	body    uint64 // its bytes
	probes  int
	trailer [trailerBytes]byte
}

func newFormat(body uint64, probes int) format {
	f := format{body: body, probes: probes}
	f.trailer[trailerMarker] = markerNewBloom
	f.trailer[trailerVariant] = variantFastLocal
	f.trailer[trailerProbes] = byte(probes)
	return f
}

func (f *format) BodyBytes() uint64 { return f.body }

func (f *format) MaxBodyBytes() uint64 { return asm.MaxBodyBytes }

func (f *format) Trailer() []byte { return f.trailer[:] }

// nearBytes is four times the second-level cache, and at most 8 MiB: more was not
// measured. With an L2 of 1 MiB (Zen 4) both ways take the same time at 4 MiB. With one
// of 2 MiB (Emerald Rapids) 8 MiB are best: with 4, filters of 16 MiB take up to a
// nanosecond a key more, though those of 8 MiB take 17 % less.
var nearBytes = func() uint64 {
	l2, _ := cpu.Caches()
	return uint64(min(4*l2, 8<<20))
}()

func (f *format) NearBytes() uint64 { return nearBytes }

func (f *format) UnitBlocks() int { return 1 }

func (f *format) Fill(body []byte, part building.Part) {
	for hashes := range part.Hashes() {
		asm.FastLocalAdd(body, f.probes, hashes)
	}
}

func (f *format) Reader(body []byte) building.Reader {
	kernel := asm.NewFastLocal(body, f.probes)
	return &kernel
}
