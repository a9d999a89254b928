package answers

import (
	"math/bits"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
)

// A filter answers hashes in stretches whose bits are on the stack: in long ones,
// because the kernels' prefetching begins anew with each, but a few hashes in a
// short one, because the stack is cleared at every call. In long ones 32 MiB takes
// 2.5 ns a hash and 1 GiB 5.7, in short ones 3.0 and 6.6 (FastLocal, k=6, AVX-512,
// Zen 4, huge pages).
const (
	ShortStretch = 512
	LongStretch  = 4096
)

// AppendIndexes appends the index of every hash whose bit is set in words. These are
// the answers for a stretch of n hashes, which begins with index base and ends where
// the words or the hashes end.
//
// Where dst has no room, it grows by the bits that are left, times the stretches
// that are left.
func AppendIndexes(dst []int, words []uint64, base, n int) []int {
	stretch, left := 64*len(words), n-base
	stretches := 1
	if left > stretch {
		stretches += left / stretch // at most one too many: later ones may have some hits more
	}
	words = words[:asm.Words(min(stretch, left))]
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
