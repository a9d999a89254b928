//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// Contains is [fallback.RibbonContains].
func (f *Ribbon) Contains(hash uint64) bool {
	return fallback.RibbonContains(f.body, &f.shape, hash)
}

// Contains is [fallback.RibbonContains].
func (f RibbonBytes) Contains(hash uint64) bool { return f.containsGeneric(hash) }
