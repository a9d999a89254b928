//go:build !amd64 || purego

package asm

import "github.com/simdbloom/simdbloom/fallback"

func partition(lists *OpenLists, before uint64, hashes []uint64) (taken, kept int) {
	return fallback.Partition(lists, before, hashes)
}

func prefetchFirst(*Segment) {}
