// Package splitblock has the bytes, sizes and false-positive rates of Parquet's split-block filter, and how it is
// built.
package splitblock

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/rates"
)

const (
	// LeastBytes is the size of the smallest filter: a block.
	LeastBytes = asm.SplitBlockBytes

	// NumProbes is the number of words in a block, of which each has one of a key's bits.
	NumProbes = 8

	wordBits = 32
)

// NewKernel returns the kernel that adds keys to a body and looks them up. Many goroutines may add to a shared one at
// once.
func NewKernel(body []byte, _ int, shared bool) asm.Kernel {
	if shared {
		return asm.NewSharedSplitBlock(body)
	}
	return asm.NewSplitBlock(body)
}

// EstimatedFPR returns the false-positive rate of whole blocks, computed from the bits that are set.
func EstimatedFPR(body []byte, _ int) float64 {
	sum := 0.0
	for at := 0; at < len(body); at += asm.SplitBlockBytes {
		set, product := 0, 1.0
		for i := 0; i < asm.SplitBlockBytes; i += 4 {
			word := bits.OnesCount32(binary.LittleEndian.Uint32(body[at+i:]))
			set += word
			product *= float64(word) / wordBits
		}
		if product < 1 { // it is at most 31/32, and the summand far less than 1/32
			product += same(EstimatedKeys(uint64(set), asm.SplitBlockBytes, NumProbes))
		}
		sum += product
	}
	return sum / float64(len(body)/asm.SplitBlockBytes)
}

// PredictedFPR returns the expected rate of a filter of n keys and the given size.
func PredictedFPR(body uint64, _ int, n uint64) float64 {
	return rates.OfBlocks(body, asm.SplitBlockBytes, n, func(keys float64) float64 {
		set := -math.Expm1(keys * math.Log1p(-1.0/wordBits)) // of each word's bits, which other words do not depend on
		return math.Min(rates.Power(set, NumProbes)+same(keys), 1)
	})
}

// same returns the chance that a lookup has all of its bits, which come from 32 bits of its hash, from one
// of a block's keys.
func same(keys float64) float64 { return math.Ldexp(keys, -32) }

// EstimatedKeys returns how many different keys set the given number of bits of a body, if they are
// spread at random: +Inf if all are set. A key sets one of the bits of a word number, of which there is one
// for each block: 32 times as many bits as blocks, which is the number of bytes.
func EstimatedKeys(set, body uint64, _ int) float64 {
	return math.Log1p(-float64(set)/float64(8*body)) / math.Log1p(-1/float64(body))
}

// UsualMillibits returns the bits per key, in thousandths, that count for filters whose bytes do not have them: a
// rate of 1.26 %.
func UsualMillibits(int) int { return 10_000 }
