//go:build !purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// Contains is PairedContains.
func (f *Paired) Contains(hash uint64) bool {
	return fallback.PairedContains(f.body, f.batchBlocks, f.probes, hash)
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

// Prefetch asks for the primary lines of hashes that will soon be looked up, if
// that helps.
func (f *Paired) Prefetch(hashes []uint64) {
	if len(f.body) >= farFrom && len(hashes) > 0 {
		prefetchLines(&f.body[0], uint64(len(f.body)), &hashes[0], len(hashes))
	}
}
