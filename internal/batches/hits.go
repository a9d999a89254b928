// Package batches has the sizes of the pieces in which many keys are hashed and looked up, and turns bits into
// indexes.
package batches

import (
	"math/bits"
	"slices"

	"github.com/simdbloom/simdbloom/asm"
)

// The answer bits of a batch are on the stack, some hashes at a time: many, because the kernels'
// prefetching begins anew with each time (512 take 15 to 20 % longer in a large filter), but few for
// a small batch, because the stack is cleared at every call.
const (
	FewBits  = 512
	ManyBits = 4096
)

// AppendIndexes appends the index of every hash whose bit is set in words. These are the answers for
// the hashes from index base on, out of n, as far as the words have bits for them.
//
// Where dst is too small, it grows by the bits that are left, times the calls that are left.
func AppendIndexes[I int | int32](dst []I, words []uint64, base, n int) []I {
	answered, left := 64*len(words), n-base
	calls := 1
	if left > answered {
		calls += left / answered // at most one too many: later calls may have more hits
	}
	words = words[:asm.Words(min(answered, left))]
	for i, word := range words {
		// A word has at most 64 hits: they are counted only if less is free.
		if free := cap(dst) - len(dst); free < 64 && free < bits.OnesCount64(word) {
			dst = slices.Grow(dst, calls*Ones(words[i:]))
		}
		for ; word != 0; word &= word - 1 {
			dst = append(dst, I(base+64*i+bits.TrailingZeros64(word)))
		}
	}
	return dst
}

// Ones counts the bits that are set.
func Ones(words []uint64) int {
	n := 0
	for _, word := range words {
		n += bits.OnesCount64(word)
	}
	return n
}
