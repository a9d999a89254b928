//go:build !amd64 || purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func level() cpu.Level { return cpu.Generic }

func formOf(int) form { return formGeneric }

func fewSizes(form, int) int { return 0 }

func fastLocalContains(f *FastLocal, hash uint64) bool {
	return fallback.FastLocalContains(f.body, f.probes, hash)
}

// ContainsBatch is FastLocalContainsBatch.
func (f *FastLocal) ContainsBatch(hits, hashes []uint64) {
	checkHits(hits, hashes)
	fallback.FastLocalContainsBatch(hits, f.body, f.probes, hashes)
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
