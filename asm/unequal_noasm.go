//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func copyUnequal(room []uint64, before uint64, hashes []uint64) (kept int) {
	return fallback.CopyUnequal(room, before, hashes)
}
