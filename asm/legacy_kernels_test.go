package asm_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/test/naive"
)

// legacy is of filters whose lines are blocks. It looks the hashes' low halves up.
func legacy(k int) kernels {
	lines := func(body []byte) uint32 { return uint32(len(body) / asm.BlockBytes) }
	return kernels{
		fmt.Sprintf("Legacy, k=%d", k), 1, k,
		func(body []byte, hash uint64) bool {
			f := asm.NewLegacy(body, lines(body), k)
			return f.Contains(hash)
		},
		func(body []byte, hashes, hits []uint64) {
			f := asm.NewLegacy(body, lines(body), k)
			f.ContainsBits(hashes, hits)
		},
		func(body []byte, hashes []uint64, hits []bool) {
			f := asm.NewLegacy(body, lines(body), k)
			f.ContainsBools(hashes, hits)
		},
		func(body []byte, hashes []uint64) { asm.LegacyAdd(body, lines(body), k, hashes) },
		func(body []byte, hash uint64) bool {
			return fallback.LegacyContains(body, lines(body), k, hash)
		},
		func(body []byte, hashes []uint64) { fallback.LegacyAdd(body, lines(body), k, hashes) },
		func(body []byte, hash uint64) bool { return naive.LegacyContains(body, lines(body), k, uint32(hash)) },
		func(body []byte, hash uint64) { naive.LegacyAdd(body, lines(body), k, uint32(hash)) },
		func(body []byte, hash uint64) []uint64 { return naive.LegacyBits(body, lines(body), k, uint32(hash)) },
		func(hash uint64, lines uint32) uint32 { return uint32(hash) % lines },
		legacyHashInLine,
	}
}

// everyLegacy covers all numbers of probes that have kernels, and some that have none.
func everyLegacy() (all []kernels) {
	for k := 1; k <= asm.MaxProbes+1; k++ {
		all = append(all, legacy(k))
	}
	return append(all, legacy(127))
}

// someLegacy has one of each class.
func someLegacy() (some []kernels) {
	for _, k := range probeClasses {
		some = append(some, legacy(k))
	}
	return some
}

// legacyHashInLine returns a hash that belongs to the given line. Its probes often look at
// few bits, or at the ends of the line; the other half of the hash does not count. With more
// lines, the lowest bits are what the line makes of them.
func legacyHashInLine(r *rand.Rand, line, lines, step int) uint64 {
	hash := r.Uint32()
	switch r.IntN(7) {
	case 0: // all probes look at one bit
		hash &^= 511 << 17
	case 1: // at two
		hash = hash&^(511<<17) | 256<<17
	case 2: // at neighbours
		hash = hash&^(511<<17) | 1<<17
	case 3: // and the other way
		hash |= 511 << 17
	case 4: // the given one is the first bit, or the last
		first := -uint32(step) * bits.RotateLeft32(hash, 15)
		hash = hash&^511 | (first-r.Uint32N(2))&511
	case 5: // powers of two
		hash = bits.RotateLeft32(1, r.IntN(32))
	}
	at := uint64(hash) - uint64(hash)%uint64(lines) + uint64(line)
	if at >= 1<<32 {
		at -= uint64(lines)
	}
	return uint64(r.Uint32())<<32 | at
}
