//go:build (!amd64 && !arm64) || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// ContainsBits is [fallback.PairedContainsBatch].
func (f *Paired) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	fallback.PairedContainsBatch(f.body, f.batchBlocks, f.probes, hashes, hits)
}
