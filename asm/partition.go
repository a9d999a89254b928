package asm

import "github.com/simdbloom/simdbloom/fallback"

const (
	// ListShift is [fallback.ListShift].
	ListShift = fallback.ListShift

	// Lists is the number of lists that [Partition] fills.
	Lists = fallback.Lists

	// SegmentSize is the number of hashes that a segment has room for.
	SegmentSize = fallback.SegmentSize

	// mostPartitioned hashes take about 20 microseconds.
	mostPartitioned = 1 << 14
)

type (
	// Segment is [fallback.Segment].
	Segment = fallback.Segment

	// OpenList is [fallback.OpenList].
	OpenList = fallback.OpenList

	// OpenLists is [fallback.OpenLists].
	OpenLists = fallback.OpenLists
)

// ListOf is [fallback.ListOf].
func ListOf(hash uint64) int { return fallback.ListOf(hash) }

// Partition is [fallback.Partition], but it may stop earlier. It panics at a hash whose
// list has no segment, or a full one.
func Partition(lists *OpenLists, before uint64, hashes []uint64) (taken, kept int) {
	return partition(lists, before, hashes[:min(mostPartitioned, len(hashes))])
}

// PrefetchSegment loads the first hashes of a segment into the cache. Call it before the
// hashes of the segment before it are counted or added.
func PrefetchSegment(segment *Segment) { prefetchFirst(segment) }
