package asm

// octets are the answers of all bytes of eight.
var octets = func() (all [256][8]bool) {
	for b := range all {
		for i := range all[b] {
			all[b][i] = b>>i&1 != 0
		}
	}
	return all
}()

// Expand sets hits[i] to bit i%64 of words[i/64]. words has a bit for every hit.
func Expand(hits []bool, words []uint64) {
	if len(words) < Words(len(hits)) {
		panicHits(len(words), len(hits))
	}
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

// expanded is how many answers are made bools at a time: few enough for their
// words to be on the stack, which is cleared at every call.
const expanded = 512

// boolsOfBits answers in bits and makes bools of them.
func (f *FastLocal) boolsOfBits(hits []bool, hashes []uint64) {
	var words [expanded / 64]uint64
	for len(hashes) > 0 {
		n := min(expanded, len(hashes))
		f.ContainsBatch(words[:], hashes[:n])
		Expand(hits[:n], words[:])
		hits, hashes = hits[n:], hashes[n:]
	}
}

func (f *Paired) boolsOfBits(hits []bool, hashes []uint64) {
	var words [expanded / 64]uint64
	for len(hashes) > 0 {
		n := min(expanded, len(hashes))
		f.ContainsBatch(words[:], hashes[:n])
		Expand(hits[:n], words[:])
		hits, hashes = hits[n:], hashes[n:]
	}
}
