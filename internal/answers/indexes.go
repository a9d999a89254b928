package answers

import (
	"math/bits"
	"slices"
)

// appendIndexes appends base plus the number of every bit that is set. Where dst has
// no room, it grows by the bits that are left, times the stretches that are still to
// come, this one included.
func appendIndexes(dst []int, words []uint64, base, stretches int) []int {
	for i, word := range words {
		// A word needs room for 64 at most, so that few are counted.
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
