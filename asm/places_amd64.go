//go:build !purego

package asm

// places has the positions of the set bits of each byte, as bytes, and then those of each
// four bits, as doublewords of pairs, which are quadwords. AVX2 compacts queues of keys
// with them.
//
//lint:ignore U1000 paired_amd64.s loads it
var places = func() (words [256 + 4*16]uint64) {
	for b := range 256 {
		for bit, place := 0, 0; bit < 8; bit++ {
			if b>>bit&1 != 0 {
				words[b] |= uint64(bit) << (8 * place)
				place++
			}
		}
	}
	for b := range 16 {
		for bit, place := 0, 0; bit < 4; bit++ {
			if b>>bit&1 != 0 {
				words[256+4*b+place] = uint64(2*bit) | uint64(2*bit+1)<<32
				place++
			}
		}
	}
	return words
}()
