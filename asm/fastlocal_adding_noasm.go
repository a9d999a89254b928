//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// Add is [fallback.FastLocalAddKey].
func (f *FastLocal) Add(hash uint64) { fallback.FastLocalAddKey(f.body, f.probes, hash) }

// AddIfAbsent is [fallback.FastLocalAddIfAbsent].
func (f *FastLocal) AddIfAbsent(hash uint64) bool {
	return fallback.FastLocalAddIfAbsent(f.body, f.probes, hash)
}

func (f *FastLocal) addAll(hashes []uint64) { fallback.FastLocalAdd(f.body, f.probes, hashes) }

// AddShared is Add in a shared body.
func (f *FastLocal) AddShared(hash uint64) { fallback.SharedFastLocalAdd(f.words(), f.probes, hash) }

// AddIfAbsentShared is AddIfAbsent in a shared body. It reports whether this call set a bit.
func (f *FastLocal) AddIfAbsentShared(hash uint64) bool {
	return fallback.SharedFastLocalAddIfAbsent(f.words(), f.probes, hash)
}
