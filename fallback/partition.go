package fallback

// While hashes are collected for a large filter, they are put into lists, each of
// which is for one part of the filter, so that filling it stays in the cache.

const (
	// ListShift is how many bits of those that choose a hash's block do not choose its
	// list.
	ListShift = 23

	// Lists is how many lists there are.
	Lists = 1 << (32 - ListShift)

	// SegmentSize is how many hashes a segment has room for. Lists are rows of
	// segments. With 129 cache lines, the ends of lists that grow alike are in
	// different places of the cache, and not all in the same.
	SegmentSize = 129 * 8
)

// Segment is room for hashes of one list.
type Segment [SegmentSize]uint64

// OpenList is the end of a list: the segment that is being filled.
type OpenList struct {
	Segment *Segment
	Len     int // hashes in it
}

// OpenLists are the ends of all lists.
type OpenLists [Lists]OpenList

// ListOf returns the list of a hash: its block's number as far as nine bits of
// the hash tell it.
func ListOf(hash uint64) int { return int(uint32(hash) >> ListShift) }

// Partition puts hashes into their lists, each unless it equals the one before, up
// to the first that makes a list's segment full. It returns how many it went
// through and how many of them it put into lists. It panics at a hash whose list has no
// segment, or a full one.
func Partition(lists *OpenLists, before uint64, hashes []uint64) (taken, kept int) {
	for i, hash := range hashes {
		if hash == before {
			continue
		}
		before = hash
		list := &lists[ListOf(hash)]
		if list.Segment == nil {
			panic("fallback: a list without a segment")
		}
		list.Segment[list.Len] = hash
		list.Len++
		kept++
		if list.Len == SegmentSize {
			return i + 1, kept
		}
	}
	return len(hashes), kept
}
