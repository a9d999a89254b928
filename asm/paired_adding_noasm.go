//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// PairedAdd is [fallback.PairedAdd].
func PairedAdd(body []byte, batchBlocks, probes int, hashes []uint64) {
	checkPaired(body, batchBlocks, probes)
	fallback.PairedAdd(body, batchBlocks, probes, hashes)
}

// count leaves all hashes.
func count(_ []uint16, _, _ uint32, hashes []uint64) []uint64 { return hashes }
