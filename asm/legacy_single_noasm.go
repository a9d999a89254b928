//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// Contains is fallback.LegacyContains.
func (f *Legacy) Contains(hash uint32) bool {
	return fallback.LegacyContains(f.body, f.lines, f.probes, hash)
}

// Contains is fallback.LegacyContains.
func (f LegacyBytes) Contains(hash uint32) bool { return f.containsGeneric(hash) }

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Legacy) ContainsBools(hashes []uint32, hits []bool) {
	f.boolsOfBits(hashes, hits)
}
