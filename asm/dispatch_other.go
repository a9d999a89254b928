//go:build (!amd64 && !arm64) || purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func level() cpu.Level { return cpu.Generic }

func formOf(int) form { return formGeneric }

// ContainsBatch is FastLocalContainsBatch.
func (f *FastLocal) ContainsBatch(hits, hashes []uint64) {
	checkHits(hits, hashes)
	fallback.FastLocalContainsBatch(hits, f.body, f.probes, hashes)
}

// ContainsBatch is PairedContainsBatch.
func (f *Paired) ContainsBatch(hits, hashes []uint64) {
	checkHits(hits, hashes)
	fallback.PairedContainsBatch(hits, f.body, f.batchBlocks, f.probes, hashes)
}
