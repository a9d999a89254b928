//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func legacyForm(int) form { return formGeneric }

// Contains is fallback.LegacyContains.
func (f *Legacy) Contains(hash uint32) bool {
	return fallback.LegacyContains(f.body, f.lines, f.probes, hash)
}

// Contains is fallback.LegacyContains.
func (f LegacyBytes) Contains(hash uint32) bool { return f.containsGeneric(hash) }

// ContainsBits is fallback.LegacyContainsBatch.
func (f *Legacy) ContainsBits(hashes []uint32, hits []uint64) {
	checkLegacyBits(hashes, hits)
	fallback.LegacyContainsBatch(f.body, f.lines, f.probes, hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Legacy) ContainsBools(hashes []uint32, hits []bool) {
	checkLegacyBools(hashes, hits)
	f.boolsOfBits(hashes, hits)
}
