package fallback

import "math/bits"

// Modulus gives the remainders of a division by a fixed number, with two multiplications
// (Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019). They are exact for
// 32-bit numbers.
type Modulus struct {
	// Reciprocal is the first factor of a number: 2^64 divided by the modulus, rounded up,
	// or 0, which stands for 2^64. The product's low 64 bits are the remainder as a fraction of the
	// modulus, or more by less than 2^32.
	Reciprocal uint64
	modulus    uint64
}

// NewModulus returns the Modulus of a number above 0. One above 2^32 counts as 2^32: either
// leaves a 32-bit number as it is.
func NewModulus(n uint64) Modulus {
	n = min(n, 1<<32)
	return Modulus{^uint64(0)/n + 1, n}
}

// of returns a number's remainder.
func (m Modulus) of(x uint32) uint32 {
	remainder, _ := bits.Mul64(m.Reciprocal*uint64(x), m.modulus)
	return uint32(remainder)
}

// byteOf returns the byte that has the bit of a number's remainder, and which of its bits that is. The
// modulus is a number of bytes' bits.
func (m Modulus) byteOf(x uint32) (at, bit uint64) {
	at, bit = bits.Mul64(m.Reciprocal*uint64(x), m.modulus/8)
	return at, bit >> 61
}
