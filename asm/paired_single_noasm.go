//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// Contains is [fallback.PairedContains].
func (f *Paired) Contains(hash uint64) bool {
	return fallback.PairedContains(f.body, f.batchBlocks, f.probes, hash)
}

// Contains is [fallback.PairedContains].
func (f PairedBytes) Contains(hash uint64) bool {
	return fallback.PairedContains(f.Body(), f.batchBlocks, f.probes, hash)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Paired) ContainsBools(hashes []uint64, hits []bool) { f.boolsOfBits(hashes, hits) }
