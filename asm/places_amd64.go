//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/internal/tables"

// places has the positions of the set bits of each byte, as bytes, and then those of each
// four bits, as doublewords of pairs, which are quadwords. AVX2 compacts queues of keys
// with them.
var places tables.Table[[256 + 4*16]uint64]

// pairedKernelTables computes the tables that kernels for paired filters read besides the shapes.
func pairedKernelTables() { places.Of(fillPlaces) }

func fillPlaces(words *[256 + 4*16]uint64) {
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
}
