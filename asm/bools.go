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

// expanded is the number of answers that are expanded at a time. Their words are on the
// stack and cleared at every call, so there are few.
const expanded = 512

// boolsOfBits looks up in bits and expands them.
func (k *Kernel) boolsOfBits(hashes []uint64, hits []bool) {
	k.CheckOpen()
	if len(hashes) <= 64 { // clears less of the stack
		var word [1]uint64
		k.ContainsBits(hashes, word[:])
		expand(hits[:len(hashes)], word[:])
		return
	}
	k.manyBoolsOfBits(hashes, hits)
}

//go:noinline
func (k *Kernel) manyBoolsOfBits(hashes []uint64, hits []bool) {
	var words [expanded / 64]uint64
	for len(hashes) > 0 {
		n := min(expanded, len(hashes))
		k.ContainsBits(hashes[:n], words[:])
		expand(hits[:n], words[:])
		hashes, hits = hashes[n:], hits[n:]
	}
}
