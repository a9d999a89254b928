//go:build (!amd64 && !arm64) || purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func level() cpu.Level { return cpu.Generic }

func formOf(int) form { return formGeneric }

// ContainsBits is [fallback.FastLocalContainsBatch].
func (f *FastLocal) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	f.containsBatchInGo(hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *FastLocal) ContainsBools(hashes []uint64, hits []bool) {
	f.boolsOfBits(hashes, hits)
}

func fewSizes(form, []byte) int { return 0 }

// Contains is [fallback.FastLocalContains].
func (f *FastLocal) Contains(hash uint64) bool {
	return fallback.FastLocalContains(f.body, f.probes, hash)
}

// Contains is [fallback.FastLocalContains].
func (f FastLocalBytes) Contains(hash uint64) bool {
	return fallback.FastLocalContains(f.Body(), f.probes, hash)
}
