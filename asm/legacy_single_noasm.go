//go:build !amd64 || purego

package asm

import (
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hash32"
)

const legacySingles = 0

// Contains is fallback.LegacyContains.
func (f *Legacy) Contains(hash uint32) bool {
	return fallback.LegacyContains(f.body, f.lines, f.probes, hash)
}

// Contains is fallback.LegacyContains.
func (f LegacyBytes) Contains(hash uint32) bool { return f.containsGeneric(hash) }

// ContainsKey is Contains of a key by its 32-bit hash.
func (f LegacyBytes) ContainsKey(key []byte) bool { return f.Contains(hash32.Signed(key)) }

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *Legacy) ContainsBools(hashes []uint32, hits []bool) {
	f.boolsOfBits(hashes, hits)
}

func (f *Legacy) add(hashes []uint32) { fallback.LegacyAdd(f.body, f.lines, f.probes, hashes) }
