//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/race"
)

// mostHashed words take about 10 microseconds in AVX2, also from memory.
const mostHashed = 1 << 13

const quad = octet / 2 // keys, which kernels for AVX2 take together

// The kernel for AVX2 leaves up to three words to Go, that for AVX-512 none.
func hashUint64s(hashes, words []uint64) {
	race.Write(hashes)
	race.Read(words)
	level := cpu.Current()
	for level != cpu.Generic && len(words) >= quad {
		n := min(len(words), mostHashed)
		if level == cpu.AVX512 {
			hashUint64sAVX512(&hashes[0], &words[0], n)
		} else {
			n &^= quad - 1
			hashUint64sAVX2(&hashes[0], &words[0], n)
		}
		hashes, words = hashes[n:], words[n:]
	}
	fallback.HashUint64s(hashes, words)
}
