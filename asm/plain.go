//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// What only amd64 has kernels for. NEON would not win:
//
//   - One key at a time is a chain of instructions that wait for each other: by llvm-mca
//     30 to 33 cycles at k=6, and ten for a call of assembly, where plain Go takes 26
//     (Neoverse N1, V1, V2).
//   - Adding would have to find each probe's bit in four vectors: 14 instructions of the
//     four vector units a probe, 21 cycles for six. Plain Go takes some 100
//     instructions, 13 cycles at eight a cycle; with two vector units and four
//     instructions a cycle (N1) it is 42 and 25.
//   - Counting and partitioning is loads and stores.

func fewSizes(form, int) int { return 0 }

func fastLocalContains(f *FastLocal, hash uint64) bool {
	return fallback.FastLocalContains(f.body, f.probes, hash)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *FastLocal) ContainsBools(hits []bool, hashes []uint64) {
	checkBools(hits, hashes)
	f.boolsOfBits(hits, hashes)
}

// Contains is PairedContains.
func (f *Paired) Contains(hash uint64) bool {
	return fallback.PairedContains(f.body, f.batchBlocks, f.probes, hash)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Paired) ContainsBools(hits []bool, hashes []uint64) {
	checkBools(hits, hashes)
	f.boolsOfBits(hits, hashes)
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
