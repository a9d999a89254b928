//go:build (!amd64 && !arm64) || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

// linearShape is what kernels would take.
type linearShape struct{}

func linearShapeOf(int) *linearShape { return nil }

// ContainsBits is fallback.LinearContainsBatch.
func (f *Linear) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	fallback.LinearContainsBatch(f.body, f.Layers(), f.r, hashes, hits)
}
