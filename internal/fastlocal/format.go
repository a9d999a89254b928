// Package fastlocal has the sizes and false-positive rates of RocksDB's FastLocal filter. Package
// bloom builds it, and package ribbon where RocksDB does so in place of a Ribbon filter. Mutable and
// Concurrent filters have its bytes.
package fastlocal

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/layout"
)

// LeastBytes is the size of the smallest filter: a block and the trailer.
const LeastBytes = asm.BlockBytes + layout.TrailerBytes

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
// asm.MaxBodyBytes. An exact limit is the size whatever the bits per key.
func Size(hashes uint64, millibits int, limit building.Limit) (body uint64, probes int) {
	return SizeBeside(layout.TrailerBytes, hashes, millibits, limit)
}

// SizeBeside is Size of a format that has the given number of bytes beside the body.
func SizeBeside(bytes int, hashes uint64, millibits int, limit building.Limit) (body uint64, probes int) {
	body = BodyBytes(hashes, millibits)
	if most := limit.Body(asm.BlockBytes, asm.MaxBodyBytes, bytes); body > most || limit.Exact() {
		return most, NumProbes(building.RealMillibits(most, hashes))
	}
	return body, NumProbes(millibits)
}

// KeysFor returns the number of keys that a filter of the given size, trailer included, has
// room for (FastLocalBloomBitsBuilder::ApproximateNumEntries).
func KeysFor(bytes uint64, millibits int) uint64 {
	return KeysBeside(layout.TrailerBytes, bytes, millibits)
}

// KeysBeside is KeysFor of a format that has the given number of the bytes beside the body.
func KeysBeside(beside, bytes uint64, millibits int) uint64 {
	body := min(max(bytes, beside)-beside, asm.MaxBodyBytes) &^ (asm.BlockBytes - 1)
	return 8000 * body / uint64(millibits)
}
