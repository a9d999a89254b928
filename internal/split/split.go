// Package split has the sizes and false-positive rates of Parquet's split-block filter, which package
// splitblock and filters that grow share.
package split

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/internal/rates"
)

const (
	// LeastBytes is the size of the smallest filter: a block.
	LeastBytes = asm.SplitBlockBytes

	// NumProbes is the number of words in a block, of which each has one of a key's bits.
	NumProbes = 8

	wordBits = 32
)

// BodyBytes returns the size of a filter of the given number of hashes, whether the format allows it or
// not.
func BodyBytes(hashes uint64, millibits int) uint64 {
	bytes := (building.TotalMillibits(hashes, millibits) + 7999) / 8000
	return (bytes + asm.SplitBlockBytes - 1) / asm.SplitBlockBytes * asm.SplitBlockBytes
}

// Size is BodyBytes, or as much as the limit allows if that is less, or an exact limit.
func Size(hashes uint64, millibits int, limit building.Limit) uint64 {
	body := BodyBytes(hashes, millibits)
	if most := limit.Body(asm.SplitBlockBytes, asm.MaxSplitBlockBytes, 0); body > most || limit.Exact() {
		return most
	}
	return body
}

// KeysFor returns the number of keys that a filter of the given size has room for.
func KeysFor(bytes uint64, millibits int) uint64 {
	body := min(bytes, asm.MaxSplitBlockBytes) / asm.SplitBlockBytes * asm.SplitBlockBytes
	return 8000 * body / uint64(millibits)
}

// EstimatedFPR returns the false-positive rate of whole blocks, computed from the bits that are set.
func EstimatedFPR(body []byte) float64 {
	sum := 0.0
	for at := 0; at < len(body); at += asm.SplitBlockBytes {
		set, product := 0, 1.0
		for i := 0; i < asm.SplitBlockBytes; i += 4 {
			word := bits.OnesCount32(binary.LittleEndian.Uint32(body[at+i:]))
			set += word
			product *= float64(word) / wordBits
		}
		if product < 1 { // it is at most 31/32, and what is added far less than 1/32
			product += same(EstimatedKeys(uint64(set), asm.SplitBlockBytes))
		}
		sum += product
	}
	return sum / float64(len(body)/asm.SplitBlockBytes)
}

// PredictedFPR returns the expected rate of a filter of n keys and the given size.
func PredictedFPR(body, n uint64) float64 {
	if building.RealMillibits(body, n) < rates.FullMillibits {
		return 1
	}
	sum := 0.0
	rates.Binomial(n, asm.SplitBlockBytes/float64(body), func(keys int, probability float64) {
		set := -math.Expm1(float64(keys) * math.Log1p(-1.0/wordBits)) // of each word's bits, which other words do not depend on
		sum += probability * math.Min(rates.Power(set, NumProbes)+same(float64(keys)), 1)
	})
	return math.Min(sum, 1)
}

// same returns the chance that a lookup has all of its bits, which come from 32 bits of its hash, from one
// of a block's keys.
func same(keys float64) float64 { return math.Ldexp(keys, -32) }

// EstimatedKeys returns how many different keys set the given number of bits of a body, if they are
// spread at random: +Inf if all are set. A key sets one of the bits of a word number, of which there is one
// for each block: 32 times as many bits as blocks, which is the number of bytes.
func EstimatedKeys(set, body uint64) float64 {
	return math.Log1p(-float64(set)/float64(8*body)) / math.Log1p(-1/float64(body))
}

// UsualMillibits are the bits per key, in thousandths, that count for filters whose bytes do not say it: a
// rate of 1.26 %.
const UsualMillibits = 10_000
