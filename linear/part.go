package linear

import "github.com/simdbloom/simdbloom/asm"

// part is a range of a layer's lines, which one goroutine solves.
type part struct{ from, to uint32 }

const (
	// partKeys are as many as fit a second-level cache twice: as they are in lists, and in
	// the order of their lines.
	partKeys = 1 << 15
	// fewestShared are the keys for which another goroutine pays.
	fewestShared = 1 << 10
	// partsPerGoroutine is for goroutines to end together.
	partsPerGoroutine = 4
)

// cut returns how many parts a layer is cut into. Each part goes through all lists that its
// lines have keys in, so there are no more parts than lists, or than goroutines.
func cut(lines uint32, lists int, keys uint64, goroutines int) int {
	if goroutines > 1 {
		goroutines = int(min(uint64(goroutines), 1+keys/fewestShared))
	}
	parts := goroutines
	if lists > 1 {
		if goroutines > 1 {
			parts *= partsPerGoroutine
		}
		parts = min(lists, max(parts, int(min(keys/partKeys, uint64(lists)))))
	}
	return int(min(uint64(parts), uint64(lines)))
}

// partOf returns a part of some: those parts that are one list each begin where it does.
func partOf(lines uint32, i, parts int) part {
	edge := func(i int) uint32 { return uint32((uint64(lines)*uint64(i) + uint64(parts) - 1) / uint64(parts)) }
	return part{edge(i), edge(i + 1)}
}

// listsOf returns the first list that has keys of a part, and the one after the last.
func (p part) listsOf(lines uint32, lists int) (from, to int) {
	lowest := func(line uint32) uint64 { return (uint64(line)<<32 + uint64(lines) - 1) / uint64(lines) }
	shift := listShift(lists)
	return int(lowest(p.from) >> shift), int((lowest(p.to)-1)>>shift) + 1
}

// layer is a layer while it is built.
type layer struct {
	r     int // bits of a fingerprint
	lines uint32
	body  []byte
}

// part returns the lines of a part.
func (l *layer) part(p part) []byte {
	return l.body[int(p.from)*asm.BlockBytes : int(p.to)*asm.BlockBytes]
}
