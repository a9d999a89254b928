package building

import (
	"iter"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// Part is a range of a filter's blocks and the hashes that belong to it. No
// other part has any of them.
type Part struct {
	log      *hashlog.Log
	blocks   uint32 // of the whole filter
	from, to uint32
}

// Blocks returns the range's first block and the one after its last.
func (p Part) Blocks() (from, to uint32) { return p.from, p.to }

// Hashes yields the part's hashes in the order they were added, some at a time,
// to be read only until the next ones are.
func (p Part) Hashes() iter.Seq[[]uint64] {
	if p.from == 0 && p.to == p.blocks {
		return p.log.All()
	}
	return p.selected
}

// selected goes through all hashes of the log: one in a nanosecond or so, which
// is little beside what is then done with those it selects.
func (p Part) selected(yield func([]uint64) bool) {
	mine := make([]uint64, 4096)
	for hashes := range p.log.All() {
		for len(hashes) > 0 {
			n := min(len(mine), len(hashes))
			kept := 0
			for _, hash := range hashes[:n] {
				mine[kept] = hash
				if asm.Block(hash, p.blocks)-p.from < p.to-p.from {
					kept++
				}
			}
			if kept > 0 && !yield(mine[:kept]) {
				return
			}
			hashes = hashes[n:]
		}
	}
}
