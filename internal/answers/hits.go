package answers

import (
	"math/bits"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
)

// A filter looks hashes up in stretches whose bits are on the stack: in long ones, because
// the kernels' prefetching begins anew with each (short ones take 15 to 20 % longer in a
// large filter), but a few hashes in a short one, because the stack is cleared at every
// call.
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
		stretches += left / stretch // at most one too many: later stretches may have more hits
	}
	words = words[:asm.Words(min(stretch, left))]
	for i, word := range words {
		// A word has at most 64 hits: they are counted only if there is less room.
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
