//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// Contains is fallback.LinearContains.
func (f *Linear) Contains(hash uint64) bool {
	return fallback.LinearContains(f.body, f.Layers(), f.r, hash)
}

// LinearContains looks a hash up in a filter's bytes. They are not ok if they are not those
// of a linear filter with at least one layer.
func LinearContains(data []byte, hash uint64) (contains, ok bool) {
	f, ok := linearOf(data)
	return ok && f.Contains(hash), ok
}
