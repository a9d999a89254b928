package answers

import "math/bits"

// appendIndexes appends base plus the number of every bit that is set.
func appendIndexes(dst []int, words []uint64, base int) []int {
	for _, word := range words {
		for ; word != 0; word &= word - 1 {
			dst = append(dst, base+bits.TrailingZeros64(word))
		}
		base += 64
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
