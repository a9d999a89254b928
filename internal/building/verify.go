package building

import (
	"math/bits"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/answers"
)

// Reader answers whether hashes may be in a filter, as the kernels of package asm
// do.
type Reader interface {
	// ContainsBits sets a bit for each hash: bit i%64 of hits[i/64].
	ContainsBits(hashes, hits []uint64)
}

// verifyPart reports whether the body contains every hash of a part.
func verifyPart(format Format, body []byte, part Part) bool {
	reader := format.Reader(body)
	hits := make([]uint64, answers.LongStretch/64)
	for hashes := range part.Hashes() {
		if !ContainsAll(reader, hashes, hits) {
			return false
		}
	}
	return true
}

// ContainsAll reports whether the filter contains all hashes. It looks up 64 of them
// at a time for each word of hits, whose content is lost.
func ContainsAll(reader Reader, hashes, hits []uint64) bool {
	for len(hashes) > 0 {
		n := min(64*len(hits), len(hashes))
		reader.ContainsBits(hashes[:n], hits)
		found := 0
		for _, word := range hits[:asm.Words(n)] {
			found += bits.OnesCount64(word)
		}
		if found < n {
			return false
		}
		hashes = hashes[n:]
	}
	return true
}

// ContainsAll32 reports whether a filter of 32-bit hashes has all of them. contains sets a hit for
// each hash.
func ContainsAll32(hashes []uint32, contains func(hashes []uint32, hits []bool)) bool {
	hits := make([]bool, min(4096, len(hashes)))
	for len(hashes) > 0 {
		n := min(len(hits), len(hashes))
		contains(hashes[:n], hits)
		if slices.Contains(hits[:n], false) {
			return false
		}
		hashes = hashes[n:]
	}
	return true
}
