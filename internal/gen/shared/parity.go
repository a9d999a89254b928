package shared

import (
	"math/bits"
)

// LowHalves has the low half of each byte.
const LowHalves = 0x0f0f0f0f0f0f0f0f

// ParityTable returns 0x80 for each four bits of odd parity, once for each half of a vector.
func ParityTable() (words [4]uint64) {
	for i := range 32 {
		if bits.OnesCount(uint(i%16))%2 != 0 {
			words[i/8] |= 0x80 << (i % 8 * 8)
		}
	}
	return words
}
