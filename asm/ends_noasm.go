//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func findEnds(ends []uint32, data []byte, from int, end byte) (n, to int) {
	return fallback.Ends(ends, data, from, end)
}
