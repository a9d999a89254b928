package answers

import "github.com/simdbloom/simdbloom/asm"

// Hashes are answered in stretches whose bits are on the stack: in long ones,
// because the kernels' prefetching begins anew with each, but a few hashes in a
// short one, because the stack is cleared at every call. In long ones 32 MiB takes
// 2.5 ns a hash and 1 GiB 5.7, in short ones 3.0 and 6.6 (FastLocal, k=6, AVX-512,
// Zen 4, huge pages).
const (
	shortStretch = 512
	longStretch  = 4096
)

// AppendHits appends the indexes of the hashes that may be in the filter.
func (r *Reader) AppendHits(dst []int, hashes []uint64) []int {
	if len(hashes) <= shortStretch {
		var words [shortStretch / 64]uint64
		return appendIndexes(dst, r.stretch(hashes, words[:]), 0, 1)
	}
	var words [longStretch / 64]uint64
	for base := 0; base < len(hashes); base += longStretch {
		rest := hashes[base:]
		stretches := 1 + len(rest)/longStretch // at most one too many: later ones may have some hits more
		dst = appendIndexes(dst, r.stretch(rest, words[:]), base, stretches)
	}
	return dst
}

// All reports whether every hash may be in the filter.
func (r *Reader) All(hashes []uint64) bool {
	var words [longStretch / 64]uint64
	for len(hashes) > 0 {
		n := min(longStretch, len(hashes))
		if ones(r.stretch(hashes, words[:])) != n {
			return false
		}
		hashes = hashes[n:]
	}
	return true
}

// stretch answers the first hashes, as many as there are bits for, and returns
// the words that have answers.
func (r *Reader) stretch(hashes, words []uint64) []uint64 {
	hashes = hashes[:min(64*len(words), len(hashes))]
	r.Bits(hashes, words)
	return words[:asm.Words(len(hashes))]
}
