package asm

// octets has the eight answers that each byte stands for.
var octets = func() (all [256][8]bool) {
	for b := range all {
		for i := range all[b] {
			all[b][i] = b>>i&1 != 0
		}
	}
	return all
}()

// expand sets hits[i] to bit i%64 of words[i/64]. words has a bit for every hit.
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

// expanded is the number of answers that are expanded at a time.
const expanded = 512

// expandedWords are their bits. They are on the stack and cleared at every call, so there
// are few.
type expandedWords [expanded / 64]uint64

// expandAnswers sets hits to the answers of the hashes. contains sets the words to those of the
// hashes from one to another. It has the words already: as an argument, they would be on the heap.
func expandAnswers[H uint32 | uint64](hashes []H, hits []bool, words *expandedWords, contains func(from, to int)) {
	checkBools(hashes, hits)
	for from := 0; from < len(hashes); from += expanded {
		to := min(from+expanded, len(hashes))
		contains(from, to)
		expand(hits[from:to], words[:])
	}
}
