// Package fastlocal has what the packages share that build and read RocksDB's FastLocal filter:
// its sizes, its trailer and its false-positive rates. Package bloom builds it, and package
// ribbon where RocksDB does so in place of a Ribbon filter.
package fastlocal

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
)

// A filter is its body, whole blocks, and a trailer of five bytes. All of RocksDB's filters have
// such a trailer, which begins with a marker.
const (
	TrailerBytes = 5

	// The bytes of the trailer.
	TrailerMarker   = 0 // which kind of filter
	trailerVariant  = 1 // which of the newer Bloom filters
	trailerProbes   = 2 // log2(block bytes)-6 in the top 3 bits, probes below
	trailerReserved = 3 // two bytes

	MarkerNewBloom  = 0xff
	MarkerRibbon    = 0xfe
	MarkerMaxLegacy = 0x7f // from 1 up to this, the number of probes

	variantFastLocal = 0

	probesMask = 1<<5 - 1
)

// NumProbes returns k for bits per key in thousandths: RocksDB's choice, from
// tests of its accuracy (FastLocalBloomImpl::ChooseNumProbes).
func NumProbes(millibits int) int {
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

// BodyBytes returns the size of the body for the given number of hashes, whether the format
// allows it or not.
func BodyBytes(hashes uint64, millibits int) uint64 {
	bytes := (building.TotalMillibits(hashes, millibits) + 7999) / 8000
	return (bytes + asm.BlockBytes - 1) / asm.BlockBytes * asm.BlockBytes
}

// Size returns the size of the body of a filter of the given number of hashes, and its number of
// probes: as large as the bits per key require, or, if the limit is below that, as large as it
// allows, with the number of probes that suits the bits per key that are left. The format allows
// asm.MaxBodyBytes.
func Size(hashes uint64, millibits int, limit building.Limit) (body uint64, probes int) {
	body = BodyBytes(hashes, millibits)
	if most := limit.Body(asm.BlockBytes, asm.MaxBodyBytes, TrailerBytes); body > most {
		return most, NumProbes(building.RealMillibits(most, hashes))
	}
	return body, NumProbes(millibits)
}

// EntriesFor returns the number of hashes that a filter of the given size, trailer included, has
// room for (FastLocalBloomBitsBuilder::ApproximateNumEntries).
func EntriesFor(bytes uint64, millibits int) uint64 {
	body := min(max(bytes, TrailerBytes)-TrailerBytes, asm.MaxBodyBytes) &^ (asm.BlockBytes - 1)
	return 8000 * body / uint64(millibits)
}

// Trailer returns the trailer of a filter with the given number of probes.
func Trailer(probes int) (trailer [TrailerBytes]byte) {
	trailer[TrailerMarker] = MarkerNewBloom
	trailer[trailerVariant] = variantFastLocal
	trailer[trailerProbes] = byte(probes)
	return trailer
}

// TooShort is the flaw of bytes that are shorter than any filter.
const TooShort = "too short for a block and the trailer, 69 bytes"

// Read returns the body and the number of probes of bytes that are longer than a trailer and end
// in one with MarkerNewBloom. Without probes they are of a variant that RocksDB reads as "may
// contain everything", or have a flaw.
func Read(data []byte) (body []byte, probes int, flaw string) {
	n := len(data) - TrailerBytes
	trailer := (*[TrailerBytes]byte)(data[n:])
	probes = int(trailer[trailerProbes] & probesMask)
	if trailer[trailerVariant] != variantFastLocal || trailer[trailerProbes]&^probesMask != 0 ||
		probes == 0 || probes > asm.MaxProbes ||
		trailer[trailerReserved] != 0 || trailer[trailerReserved+1] != 0 {
		return nil, 0, ""
	}
	n &^= asm.BlockBytes - 1
	switch {
	case n == 0:
		return nil, 0, TooShort
	case uint64(n) > asm.MaxBodyBytes:
		return nil, 0, "longer than the format's 4 GiB"
	}
	return data[:n], probes, ""
}
