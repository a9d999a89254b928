package asm

import "github.com/simdbloom/simdbloom/fallback"

type (
	openList  = fallback.OpenList
	openLists = [fallback.Lists]openList
)

// mostPartitioned hashes take about 20 microseconds.
const mostPartitioned = 1 << 14

// Partition is [fallback.Partition], but it may stop earlier. It panics at a hash whose
// list has no segment, or a full one.
func Partition(lists *openLists, before uint64, hashes []uint64) (taken, kept int) {
	return partition(lists, before, hashes[:min(mostPartitioned, len(hashes))])
}
