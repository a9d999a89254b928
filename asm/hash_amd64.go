//go:build !purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

// mostHashed words take about 10 microseconds in AVX2, also from memory.
const mostHashed = 1 << 13

const quad = octet / 2 // keys, which kernels for AVX2 take together

// hashedNext returns how many of the given number of words a kernel hashes in the next call. That for AVX2
// leaves up to three words to Go, that for AVX-512 none.
func hashedNext(level cpu.Level, words int) int {
	switch {
	case level == cpu.Generic || words < quad:
		return 0
	case level == cpu.AVX512:
		return min(words, mostHashed)
	}
	return min(words, mostHashed) &^ (quad - 1)
}

func hashUint64s(hashes, words []uint64) {
	raceWrite(hashes)
	raceRead(words)
	level := cpu.Current()
	for n := hashedNext(level, len(words)); n > 0; n = hashedNext(level, len(words)) {
		if level == cpu.AVX512 {
			hashUint64sAVX512(&hashes[0], &words[0], n)
		} else {
			hashUint64sAVX2(&hashes[0], &words[0], n)
		}
		hashes, words = hashes[n:], words[n:]
	}
	fallback.HashUint64s(hashes, words)
}

func hashUint32s(hashes []uint64, words []uint32) {
	raceWrite(hashes)
	raceRead(words)
	level := cpu.Current()
	for n := hashedNext(level, len(words)); n > 0; n = hashedNext(level, len(words)) {
		if level == cpu.AVX512 {
			hashUint32sAVX512(&hashes[0], &words[0], n)
		} else {
			hashUint32sAVX2(&hashes[0], &words[0], n)
		}
		hashes, words = hashes[n:], words[n:]
	}
	fallback.HashUint32s(hashes, words)
}

func hashPairs(hashes []uint64, pairs [][16]byte) {
	if cpu.Current() == cpu.AVX512 {
		raceWrite(hashes)
		raceRead(pairs)
		for len(pairs) >= octet {
			n := min(len(pairs)&^(octet-1), mostHashed)
			hashPairsAVX512(&hashes[0], &pairs[0], n)
			hashes, pairs = hashes[n:], pairs[n:]
		}
	}
	fallback.HashPairs(hashes, pairs)
}
