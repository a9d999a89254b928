//go:build !purego

package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func partition(lists *OpenLists, before uint64, hashes []uint64) (taken, kept int) {
	if len(hashes) == 0 || cpu.Current() == cpu.Generic {
		return fallback.Partition(lists, before, hashes)
	}
	taken, dropped := partitionHashes(&lists[0], before, &hashes[0], len(hashes))
	if taken == 0 {
		panicList(ListOf(hashes[0]))
	}
	return taken, taken - dropped
}

//go:noinline
func panicList(list int) {
	panic(fmt.Sprintf("asm: list %d is full, or has no segment", list))
}

func prefetchFirst(segment *Segment) { prefetchSegment(&segment[0]) }
