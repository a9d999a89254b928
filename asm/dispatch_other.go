//go:build !amd64 || purego

package asm

import (
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func level() cpu.Level { return cpu.Generic }

func formOf(int) int { return 0 }

func fastLocalContains(f *FastLocal, hash uint64) bool {
	return fallback.FastLocalContains(f.body, f.probes, hash)
}

func fastLocalContainsBatch(hits []uint64, body []byte, probes int, hashes []uint64) {
	fallback.FastLocalContainsBatch(hits, body, probes, hashes)
}
