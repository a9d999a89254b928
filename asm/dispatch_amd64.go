//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func level() cpu.Level { return cpu.Current() }

// formOf returns what the kernels for one key go by: 0 to 2 for up to 8, up to 16
// and more probes at AVX-512, 3 to 6 for eight probes each at AVX2, 7 for none.
func formOf(probes int) int {
	switch cpu.Current() {
	case cpu.AVX512:
		return min((probes-1)/8, 2)
	case cpu.AVX2:
		return 3 + (probes-1)/8
	default:
		return 7
	}
}

// fastLocalContainsGeneric is where assembly goes on when there is no kernel.
//
//lint:ignore U1000 fastlocal_amd64.s calls it
func fastLocalContainsGeneric(f *FastLocal, hash uint64) bool {
	return fallback.FastLocalContains(f.body, f.probes, hash)
}

// fastLocalContainsSome is FastLocalContainsBatch of at most chunk hashes. It
// prefetches the lines of the hashes that are ahead by so many.
func fastLocalContainsSome(hits []uint64, body []byte, probes int, hashes []uint64, ahead int) {
	size := uint64(len(body))
	if cpu.Current() == cpu.AVX512 {
		fastLocalContainsBatchAVX512(&hits[0], &body[0], size, probes, &multipliers[probes], &hashes[0], len(hashes), ahead)
	} else {
		fastLocalContainsBatchAVX2(&hits[0], &body[0], size, probes, &multipliers[probes], &hashes[0], len(hashes), ahead)
	}
}

func prefetch(body []byte, hashes []uint64) {
	prefetchLines(&body[0], uint64(len(body)), &hashes[0], len(hashes))
}
