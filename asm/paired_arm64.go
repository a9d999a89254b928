//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// ContainsBits is [fallback.PairedContainsBatch]. hits has a bit for every hash and
// shares no memory with the hashes. Words beyond those are left alone.
func (f *Paired) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	if f.form == formGeneric {
		fallback.PairedContainsBatch(f.body, f.batchBlocks, f.probes, hashes, hits)
		return
	}
	far := isFar(f.body)
	whole := inSixteens(f.body, hashes, hits, func(from, n, ahead int) {
		pairedContainsOwnNEON(f, &hashes[from], &hits[from/64], n, ahead)
		pairedContainsBothNEON(f, &hashes[from], &hits[from/64], Words(n), far)
	})
	if whole < len(hashes) {
		var rest [1]uint64
		fallback.PairedContainsBatch(f.body, f.batchBlocks, f.probes, hashes[whole:], rest[:])
		hits[whole/64] |= rest[0] << (whole % 64)
	}
}
