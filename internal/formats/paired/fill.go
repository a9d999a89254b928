package paired

import (
	"slices"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/building"
)

// fill counts one section ahead of the one it adds: a batch can be paired when all
// its hashes are counted, and a section's last batch ends in the next one. So the
// hashes come from memory once.
func fill(body []byte, part building.Part, f building.Format) {
	counts := windows.Get().(*window)
	defer windows.Put(counts)
	blocks := uint32(len(body) / asm.BlockBytes)
	from, to := part.Blocks()
	sections := part.Sections()
	counts.begin(from)
	counts.count(part, 0, blocks)
	for i := range sections {
		paired := to
		if i+1 < sections {
			counts.count(part, i+1, blocks)
		}
		if i+2 < sections {
			paired, _ = part.SectionBlocks(i + 2)
			paired = paired / uint32(f.UnitBlocks) * uint32(f.UnitBlocks)
		}
		fallback.PairedSetPairs(body[int(from)*asm.BlockBytes:int(paired)*asm.BlockBytes], f.UnitBlocks, counts.take(paired))
		from = paired
		for hashes := range part.Section(i) {
			asm.PairedAdd(body, f.UnitBlocks, f.Probes, hashes)
		}
	}
}

// window is the counts of a row of blocks, those from the first that is in no
// paired batch to the last that may have been counted.
type window struct {
	counts []uint16
	from   uint32
	taken  int // counts at the beginning that are no longer wanted
}

var windows = sync.Pool{New: func() any { return new(window) }}

func (w *window) begin(from uint32) { w.counts, w.from, w.taken = w.counts[:0], from, 0 }

// count counts the hashes of a section.
func (w *window) count(part building.Part, section int, blocks uint32) {
	w.counts = w.counts[:copy(w.counts, w.counts[w.taken:])]
	if _, to := part.SectionBlocks(section); int(to-w.from) > len(w.counts) {
		counted := len(w.counts)
		w.counts = slices.Grow(w.counts, int(to-w.from)-counted)[:to-w.from]
		clear(w.counts[counted:])
	}
	for hashes := range part.Section(section) {
		asm.PairedCount(w.counts, w.from, blocks, hashes)
	}
}

// take returns the counts up to a block, which are gone with the next count.
func (w *window) take(to uint32) []uint16 {
	w.taken = int(to - w.from)
	w.from = to
	return w.counts[:w.taken]
}
