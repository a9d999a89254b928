// Package fastlocal has the bytes, sizes and false-positive rates of RocksDB's FastLocal filter, and how it is built.
// Where RocksDB builds one in place of a Ribbon filter, package ribbon does.
package fastlocal

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/formats/rocksdb"
)

// LeastBytes is the size of the smallest filter: a block and the trailer.
const LeastBytes = asm.BlockBytes + rocksdb.TrailerBytes

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

// LeastMillibits returns the least bits per key, in thousandths, for which NumProbes is the
// given number, or 24 if that is above 24.
func LeastMillibits(probes int) int {
	switch {
	case probes <= 1:
		return 1000
	case probes <= len(mostMillibits):
		return mostMillibits[probes-2] + 1
	default:
		return 2000*(min(probes, 24)+1) + 1
	}
}
