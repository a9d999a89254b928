//go:build !purego

package asm

import (
	"fmt"

	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/fallback"
)

func partition(lists *openLists, before uint64, hashes []uint64) (taken, kept int) {
	if len(hashes) == 0 || cpu.Current() == cpu.Generic {
		return fallback.Partition(lists, before, hashes)
	}
	raceRead(hashes) // the lists are the caller's own
	taken, dropped := partitionHashes(&lists[0], before, &hashes[0], len(hashes))
	if taken == 0 {
		panic(fmt.Sprintf("asm: list %d is full, or has no segment", fallback.ListOf(hashes[0])))
	}
	return taken, taken - dropped
}

// PrefetchSegment loads the first hashes of a segment into the cache. Call it before the
// hashes of the segment before it are counted or added.
func PrefetchSegment(segment *fallback.Segment) { prefetchSegment(&segment[0]) }
