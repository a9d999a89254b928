//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// What only amd64 has kernels for: elsewhere the plain Go of package fallback is faster,
// or as fast.

func fewSizes(form, int) int { return 0 }

func fastLocalContains(f *FastLocal, hash uint64) bool {
	return fallback.FastLocalContains(f.body, f.probes, hash)
}

// Contains is PairedContains.
func (f *Paired) Contains(hash uint64) bool {
	return fallback.PairedContains(f.body, f.batchBlocks, f.probes, hash)
}

// FastLocalAdd is fallback.FastLocalAdd.
func FastLocalAdd(body []byte, probes int, hashes []uint64) {
	checkFastLocal(body, probes)
	fallback.FastLocalAdd(body, probes, hashes)
}

// PairedAdd is fallback.PairedAdd.
func PairedAdd(body []byte, batchBlocks, probes int, hashes []uint64) {
	checkPaired(body, batchBlocks, probes)
	fallback.PairedAdd(body, batchBlocks, probes, hashes)
}

// count leaves all hashes.
func count(_ []uint16, _, _ uint32, hashes []uint64) []uint64 { return hashes }

func partition(lists *OpenLists, before uint64, hashes []uint64) (taken, kept int) {
	return fallback.Partition(lists, before, hashes)
}

func prefetchFirst(*Segment) {}
