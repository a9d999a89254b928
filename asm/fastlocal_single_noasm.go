//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func fewSizes(form, []byte) int { return 0 }

// Contains is [fallback.FastLocalContains].
func (f *FastLocal) Contains(hash uint64) bool {
	return fallback.FastLocalContains(f.body, f.probes, hash)
}

// Contains is [fallback.FastLocalContains].
func (f FastLocalBytes) Contains(hash uint64) bool {
	return fallback.FastLocalContains(f.Body(), f.probes, hash)
}

// ContainsShared is Contains of a shared body.
func (f *FastLocal) ContainsShared(hash uint64) bool {
	return fallback.SharedFastLocalContains(f.words(), f.probes, hash)
}

// ContainsBools sets hits[i] to Contains(hashes[i]) for every hash.
func (f *FastLocal) ContainsBools(hashes []uint64, hits []bool) { f.boolsOfBits(hashes, hits) }
