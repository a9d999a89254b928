package fallback

import "math/bits"

// Modulus gives the remainders of a division by a fixed number, with two multiplications
// (Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019). They are exact for
// 32-bit numbers.
type Modulus struct{ reciprocal, modulus uint64 }

// NewModulus returns the Modulus of a number above 0. One above 2^32 counts as 2^32: either
// leaves a 32-bit number as it is.
func NewModulus(n uint64) Modulus {
	n = min(n, 1<<32)
	return Modulus{^uint64(0)/n + 1, n}
}

// Of returns a number's remainder.
func (m Modulus) Of(x uint32) uint32 {
	remainder, _ := bits.Mul64(m.reciprocal*uint64(x), m.modulus)
	return uint32(remainder)
}
