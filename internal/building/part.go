package building

import (
	"iter"
	"sync"

	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashlog"
)

// Part is a range of a filter's blocks and the hashes that belong to it. No
// other part has any of them.
//
// The hashes of a large filter come roughly in the order of their blocks: in sections,
// which overlap by one block at most.
type Part struct {
	log        *hashlog.Log
	blocks     uint32 // of the whole filter
	from, to   uint32
	list, end  int // the lists that have its hashes
	perSection int // lists
}

// newPart returns the part of a range of whole units, in sections of about the given size.
func newPart(log *hashlog.Log, blocks, unit, from, to uint32, sectionBytes uint64) Part {
	p := Part{log: log, blocks: blocks, from: from, to: to, end: 1, perSection: 1}
	if log.Partitioned() {
		p.list, p.end = firstList(from, blocks), lastList(to-1, blocks)+1
		p.perSection = listsPerSection(blocks, unit, sectionBytes)
	}
	return p
}

// Blocks returns the range's first block and the one after its last.
func (p Part) Blocks() (from, to uint32) { return p.from, p.to }

// Mixed reports whether the hashes are mixed as the log has them in lists, if it mixes any.
func (p Part) Mixed() bool { return p.log.Partitioned() }

// Hashes yields the part's hashes, some at a time. Each slice is valid, and read-only,
// until the next one is yielded.
func (p Part) Hashes() iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) { p.inLists(p.list, p.end, yield) }
}

// inLists yields the part's hashes in some lists. Only lists at the ends of the part can
// have hashes of other parts.
func (p Part) inLists(list, end int, yield func([]uint64) bool) {
	if !p.log.Partitioned() {
		p.log.All()(yield)
		return
	}
	for ; list < end; list++ {
		if firstBlock(list, p.blocks) < p.from || lastBlock(list, p.blocks) >= p.to {
			if !p.selected(list, yield) {
				return
			}
			continue
		}
		for hashes := range p.log.List(list) {
			if !yield(hashes) {
				return
			}
		}
	}
}

const selection = 2048

var selections = sync.Pool{New: func() any { return new([selection]uint64) }}

// selected yields those hashes of a list that are the part's, and reports whether
// more are wanted.
func (p Part) selected(list int, yield func([]uint64) bool) bool {
	mine := selections.Get().(*[selection]uint64)
	defer selections.Put(mine)
	for hashes := range p.log.List(list) {
		for len(hashes) > 0 {
			n := min(selection, len(hashes))
			kept := 0
			for _, hash := range hashes[:n] {
				mine[kept] = hash
				if fallback.Block(hash, p.blocks)-p.from < p.to-p.from {
					kept++
				}
			}
			if kept > 0 && !yield(mine[:kept]) {
				return false
			}
			hashes = hashes[n:]
		}
	}
	return true
}
