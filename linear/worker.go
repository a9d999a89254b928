package linear

import (
	"slices"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
)

// worker is the memory of a goroutine that solves parts of layers: it sorts the keys of a
// part by line, which takes two passes over them.
type worker struct {
	part    part
	lines   uint32   // in the layer
	ends    []int    // where each line's keys end among the sorted ones
	sorted  []uint64 // the part's keys
	solver  asm.LinearSolver
	shards  [2]shard              // of the bumped keys that take turns
	counter func(hashes []uint64) // count
	sorter  func(hashes []uint64) // sort
}

var workers = sync.Pool{New: func() any {
	w := new(worker)
	w.counter, w.sorter = w.count, w.sort
	return w
}}

// mostKept is the number of keys up to which memory is kept for another builder.
const mostKept = 1 << 19

// release gives the worker's memory back to the pools.
func (w *worker) release() {
	for i := range w.shards {
		w.shards[i].empty(len(w.shards[i].lists))
	}
	if cap(w.sorted) > mostKept || cap(w.ends) > mostKept {
		return
	}
	workers.Put(w)
}

// solve writes a part's lines and adds the keys that these do not hold to a shard.
func (w *worker) solve(l layer, keys source, p part, bumped *shard) {
	w.sortByLine(l.lines, keys, p)
	body := l.part(p)
	asm.LinearSolveLines(&w.solver, body, l.r, l.lines, w.ends, w.sorted)
	from := 0
	for i, to := range w.ends {
		if threshold := fallback.LinearPlacesBelow(body[(i+1)*asm.BlockBytes-1]); threshold > 0 {
			for _, hash := range w.sorted[from:to] {
				if _, order := fallback.LinearPlace(hash, l.lines); order < threshold {
					bumped.add(fallback.LinearNext(hash))
				}
			}
		}
		from = to
	}
}

// sortByLine sorts a part's keys by their lines, by counting.
func (w *worker) sortByLine(lines uint32, keys source, p part) {
	w.part, w.lines = p, lines
	n := int(p.to - p.from)
	w.ends = slices.Grow(w.ends[:0], n)[:n]
	clear(w.ends)
	from, to := p.listsOf(lines, keys.lists())
	for list := from; list < to; list++ {
		keys.each(list, w.counter)
	}
	sum := 0
	for i, n := range w.ends {
		w.ends[i] = sum // for now, where the line's keys begin
		sum += n
	}
	w.sorted = slices.Grow(w.sorted[:0], sum)[:sum]
	for list := from; list < to; list++ {
		keys.each(list, w.sorter)
	}
}

// count counts the keys of the part's lines.
func (w *worker) count(hashes []uint64) {
	ends, from, lines := w.ends, w.part.from, w.lines
	for _, hash := range hashes {
		if line := uint(fallback.Block(hash, lines) - from); line < uint(len(ends)) {
			ends[line]++
		}
	}
}

// sort puts the keys of the part's lines where they belong.
func (w *worker) sort(hashes []uint64) {
	ends, sorted, from, lines := w.ends, w.sorted, w.part.from, w.lines
	for _, hash := range hashes {
		if line := uint(fallback.Block(hash, lines) - from); line < uint(len(ends)) {
			sorted[ends[line]] = hash
			ends[line]++
		}
	}
}
