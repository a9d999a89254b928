package answers

import (
	"math/bits"
	"slices"
)

// appendIndexes appends base plus the number of every bit that is set. If dst has
// no room for them, it gets that of as many in each of so many stretches.
func appendIndexes(dst []int, words []uint64, base, stretches int) []int {
	for i, word := range words {
		if room := cap(dst) - len(dst); room < 64 && room < bits.OnesCount64(word) {
			dst = slices.Grow(dst, stretches*ones(words[i:]))
		}
		for ; word != 0; word &= word - 1 {
			dst = append(dst, base+64*i+bits.TrailingZeros64(word))
		}
	}
	return dst
}

// ones counts the bits that are set.
func ones(words []uint64) int {
	n := 0
	for _, word := range words {
		n += bits.OnesCount64(word)
	}
	return n
}
