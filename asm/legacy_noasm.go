//go:build !amd64 || purego

package asm

import (
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hash32"
)

func legacyForm(int) form { return formGeneric }

const legacySingles = 0

// ContainsKey is Contains of a key by its 32-bit hash.
func (f LegacyBytes) ContainsKey(key []byte) bool { return f.Contains(hash32.Signed(key)) }

// Contains is fallback.LegacyContains.
func (f *Legacy) Contains(hash uint32) bool {
	return fallback.LegacyContains(f.body, f.lines, f.probes, hash)
}

// Contains is fallback.LegacyContains.
func (f LegacyBytes) Contains(hash uint32) bool {
	return fallback.LegacyContains(f.Body(), f.lines, f.probes, hash)
}

// ContainsBits is fallback.LegacyContainsBatch.
func (f *Legacy) ContainsBits(hashes []uint32, hits []uint64) {
	checkBits(hashes, hits)
	fallback.LegacyContainsBatch(f.body, f.lines, f.probes, hashes, hits)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Legacy) ContainsBools(hashes []uint32, hits []bool) {
	checkBools(hashes, hits)
	f.boolsOfBits(hashes, hits)
}
