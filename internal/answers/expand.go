package answers

import "math/bits"

// octets are the answers of all bytes of eight.
var octets = func() (all [256][8]bool) {
	for b := range all {
		for i := range all[b] {
			all[b][i] = b>>i&1 != 0
		}
	}
	return all
}()

// expand sets hits[i] to bit i%64 of words[i/64].
func expand(hits []bool, words []uint64) {
	for len(hits) >= 64 {
		word, eights := words[0], (*[64]bool)(hits)
		for i := 0; i < 64; i += 8 {
			*(*[8]bool)(eights[i:]) = octets[byte(word>>i)]
		}
		hits, words = hits[64:], words[1:]
	}
	if len(hits) == 0 {
		return
	}
	word := words[0]
	for ; len(hits) >= 8; hits = hits[8:] {
		*(*[8]bool)(hits) = octets[byte(word)]
		word >>= 8
	}
	for i := range hits {
		hits[i] = word>>i&1 != 0
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
