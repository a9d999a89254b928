// Package classic is shared by classic Bloom filters, whose probes are anywhere in an array of m
// bits, and not in one block or two.
package classic

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// WordBytes is the size of the words that the array is stored in.
const WordBytes = 8

// MostProbes is the largest number of probes that is read and written. A corrupt header could have one for which a
// lookup would take minutes.
const MostProbes = 1 << 16

// Words returns the number of words that m bits take.
func Words(m uint64) uint64 { return m/64 + (m%64+63)/64 }

// Divisor computes remainders modulo m.
type Divisor struct{ m, reciprocal uint64 }

// NewDivisor returns the divisor m, at least 1.
func NewDivisor(m uint64) Divisor { return Divisor{m, math.MaxUint64 / m} }

// M returns the divisor.
func (d Divisor) M() uint64 { return d.m }

// Remainder returns x modulo m.
//
// It is exact for all x and m. The reciprocal is (2^64-e)/m, with e from 1 to m. Times x/2^64, that is x/m
// less e/m * x/2^64, which is below 1. So the quotient is right or 1 too small, and the difference below 2m.
// It is at most x, so it does not overflow.
func (d Divisor) Remainder(x uint64) uint64 {
	quotient, _ := bits.Mul64(x, d.reciprocal)
	remainder, below := bits.Sub64(x-quotient*d.m, d.m, 0)
	return remainder + d.m&-below // a branch would be mispredicted
}

// Ones counts the bits that are set.
func Ones(words []byte) uint64 {
	n := 0
	for ; len(words) >= 4*WordBytes; words = words[4*WordBytes:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(words)) +
			bits.OnesCount64(binary.LittleEndian.Uint64(words[8:])) +
			bits.OnesCount64(binary.LittleEndian.Uint64(words[16:])) +
			bits.OnesCount64(binary.LittleEndian.Uint64(words[24:]))
	}
	for ; len(words) >= WordBytes; words = words[WordBytes:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(words))
	}
	for _, b := range words {
		n += bits.OnesCount8(b)
	}
	return uint64(n)
}

// FPR returns the false-positive rate of k probes in m bits of which the given number are set.
func FPR(ones, m uint64, k int) float64 { return math.Pow(float64(ones)/float64(m), float64(k)) }

// Keys returns about how many different keys were added with k probes, at least 1, if the given number of
// m bits are set: +Inf if all are.
func Keys(ones, m uint64, k int) float64 {
	return -float64(m) / float64(k) * math.Log1p(-float64(ones)/float64(m))
}
