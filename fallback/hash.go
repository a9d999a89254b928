package fallback

import "github.com/simdbloom/simdbloom/internal/xx64"

// HashUint64s sets hashes[i] to XXH64, with seed 0, of the 8 little-endian bytes of words[i]. It
// panics if hashes is shorter than words. The two may begin at the same place in memory, but
// must not overlap otherwise.
func HashUint64s(hashes, words []uint64) {
	hashes = hashes[:len(words):len(hashes)] // within its length, not its capacity
	for i, word := range words {
		hashes[i] = xx64.Word(word)
	}
}
