//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// neonKeys are answered together by the kernels.
const neonKeys = 16

// ContainsBatch is FastLocalContainsBatch.
func (f *FastLocal) ContainsBatch(hits, hashes []uint64) {
	checkHits(hits, hashes)
	if f.form == formGeneric || len(hashes) < neonKeys {
		fallback.FastLocalContainsBatch(hits, f.body, f.probes, hashes)
		return
	}
	inChunks(f.body, hashes, func(from, n, ahead int) {
		hits, hashes := hits[from/64:], hashes[from:]
		whole := n &^ (neonKeys - 1)
		hits[(n-1)/64] = 0 // the kernel writes two bytes for 16 hashes
		if whole > 0 {
			fastLocalContainsBitsNEON(f, &hits[0], &hashes[0], whole, ahead)
		}
		if whole < n {
			var rest [1]uint64
			fallback.FastLocalContainsBatch(rest[:], f.body, f.probes, hashes[whole:n])
			hits[whole/64] |= rest[0] << (whole % 64)
		}
	})
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *FastLocal) ContainsBools(hits []bool, hashes []uint64) {
	checkBools(hits, hashes)
	f.boolsOfBits(hits, hashes)
}

// ContainsBatch is PairedContainsBatch.
func (f *Paired) ContainsBatch(hits, hashes []uint64) {
	checkHits(hits, hashes)
	fallback.PairedContainsBatch(hits, f.body, f.batchBlocks, f.probes, hashes)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Paired) ContainsBools(hits []bool, hashes []uint64) {
	checkBools(hits, hashes)
	f.boolsOfBits(hits, hashes)
}
