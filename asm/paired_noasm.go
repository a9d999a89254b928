//go:build (!amd64 && !arm64) || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// ContainsBits is [fallback.PairedContainsBatch].
func (f *Paired) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	fallback.PairedContainsBatch(f.body, f.batchBlocks, f.probes, hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Paired) ContainsBools(hashes []uint64, hits []bool) {
	f.boolsOfBits(hashes, hits)
}

// Contains is [fallback.PairedContains].
func (f *Paired) Contains(hash uint64) bool {
	return fallback.PairedContains(f.body, f.batchBlocks, f.probes, hash)
}

// Contains is [fallback.PairedContains].
func (f PairedBytes) Contains(hash uint64) bool {
	return fallback.PairedContains(f.Body(), f.batchBlocks, f.probes, hash)
}

// PairedAdd is [fallback.PairedAdd].
func PairedAdd(body []byte, batchBlocks, probes int, hashes []uint64) {
	checkPaired(body, batchBlocks, probes)
	fallback.PairedAdd(body, batchBlocks, probes, hashes)
}

// count leaves all hashes.
func count(_ []uint16, _, _ uint32, hashes []uint64) []uint64 { return hashes }
