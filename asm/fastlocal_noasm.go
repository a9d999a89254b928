//go:build (!amd64 && !arm64) || purego

package asm

import "github.com/simdbloom/simdbloom/cpu"

func level() cpu.Level { return cpu.Generic }

func formOf(int) form { return formGeneric }

// ContainsBits is [fallback.FastLocalContainsBatch].
func (f *FastLocal) ContainsBits(hashes, hits []uint64) {
	checkBits(hashes, hits)
	f.containsBatchInGo(hashes, hits)
}
