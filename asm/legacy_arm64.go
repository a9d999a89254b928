//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func legacyForm(probes int) form { return formOf(probes) }

// widen is not worth a kernel: it takes a product and a few more instructions for a key.
func (f *Legacy) widen(hashes []uint32, wide []uint64) {
	fallback.LegacyWiden(f.reciprocal, hashes, wide)
}

// answer answers widened hashes.
func (f *Legacy) answer(wide, bits []uint64, _ []bool) {
	whole := inSixteens(f.body, wide, bits, func(from, n, ahead int) {
		legacyContainsBitsNEON(&f.blocks, &wide[from], &bits[from/64], n, ahead)
	})
	for i := whole; i < len(wide); i++ {
		if f.Contains(uint32(wide[i] >> 32)) {
			bits[i/64] |= 1 << (i % 64)
		}
	}
}
