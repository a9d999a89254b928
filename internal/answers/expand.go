package answers

import "math/bits"

// expand sets hits[i] to bit i%64 of words[i/64].
func expand(hits []bool, words []uint64) {
	for _, word := range words {
		if len(hits) < 64 {
			for i := range hits {
				hits[i] = word>>i&1 != 0
			}
			return
		}
		full := hits[:64]
		for i := range full {
			full[i] = word>>i&1 != 0
		}
		hits = hits[64:]
	}
}

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
