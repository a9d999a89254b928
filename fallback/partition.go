package fallback

// While hashes are collected for a large filter, they are put into lists. Each list has
// the hashes of one part of the filter, so that filling that part stays in the cache.

const (
	// ListShift is the number of bits that choose a hash's block but not its list.
	ListShift = 23

	// Lists is the number of lists.
	Lists = 1 << (32 - ListShift)

	// SegmentSize is the number of hashes that a segment has room for. Lists are rows of
	// segments. With 129 cache lines, the ends of lists that grow alike are in different
	// places of the cache.
	SegmentSize = 129 * 8
)

// Segment is room for hashes of one list.
type Segment [SegmentSize]uint64

// OpenList is the end of a list: the segment that is being filled.
type OpenList struct {
	Segment *Segment // nil before the first
	Len     int      // hashes in it
}

// ListOf returns the list of a hash: the nine highest of the bits that choose its block.
func ListOf(hash uint64) int { return int(uint32(hash) >> ListShift) }

// Partition puts hashes into their lists, up to the first that makes a list's segment
// full. It drops a hash that equals the one before it. It returns how many hashes it took
// and how many of them it put into lists. It panics at a hash whose list has no segment,
// or a full one.
func Partition(lists *[Lists]OpenList, before uint64, hashes []uint64) (taken, kept int) {
	for i, hash := range hashes {
		if hash == before {
			continue
		}
		before = hash
		list := &lists[ListOf(hash)]
		if list.Segment == nil {
			panic("fallback: a hash's list has no segment")
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
