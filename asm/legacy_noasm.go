//go:build (!amd64 && !arm64) || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func legacyForm(int) form { return formGeneric }

// ContainsBits is fallback.LegacyContainsBatch.
func (f *Legacy) ContainsBits(hashes []uint32, hits []uint64) {
	checkBits(hashes, hits)
	fallback.LegacyContainsBatch(f.body, f.lines, f.probes, hashes, hits)
}
