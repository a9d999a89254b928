package linear

import (
	"slices"
	"sync"

	"github.com/simdbloom/simdbloom/asm"
)

// worker is the memory of a goroutine that solves parts of sections: it sorts the keys of a
// part by line, in two passes over them.
type worker struct {
	part    part
	ends    []int    // where each line's keys end among the sorted ones
	sorted  []uint64 // the part's keys, as the section has them
	bumped  []uint64 // as the next layer has them
	solver  asm.LinearSolver
	shards  [2]shard  // of the bumped keys that take turns
	halves  [2]halves // of the first layer, and of any other
	first   []uint64  // keys that the first section of the first layer bumps
	room    segment
	counter func(hashes []uint64) // count
	sorter  func(hashes []uint64) // sort
	taker   func(hashes []uint64) // take
}

var workers = sync.Pool{New: func() any {
	w := new(worker)
	w.counter, w.sorter, w.taker = w.count, w.sort, w.take
	for i := range w.halves {
		w.halves[i].adder = w.halves[i].add
	}
	return w
}}

// mostKept is the number of keys up to which memory is kept for another builder.
const mostKept = 1 << 19

// release gives the worker's memory back to the pools.
func (w *worker) release() {
	for i := range w.shards {
		w.shards[i].empty(len(w.shards[i].lists))
	}
	w.part = part{}
	if cap(w.sorted) > mostKept || cap(w.halves[0].keys) > mostKept || cap(w.ends) > mostKept {
		return
	}
	workers.Put(w)
}

// solve writes a part's lines and headers, and adds the keys that these do not hold to a shard.
func (w *worker) solve(p part, keys source, bumped *shard) {
	w.sortByLine(p, keys)
	asm.LinearSolveLines(&w.solver, p.lines, p.headers, p.bits, p.multiplier, w.ends, w.sorted)
	w.bumped = slices.Grow(w.bumped[:0], len(w.sorted))[:len(w.sorted)]
	n := asm.LinearBumped(w.bumped, p.headers, p.multiplier, w.ends, w.sorted)
	bumped.addAll(w.bumped[:n])
}

// sortByLine sorts a part's keys by their lines, by counting.
func (w *worker) sortByLine(p part, keys source) {
	w.part = p
	w.ends = slices.Grow(w.ends[:0], len(p.headers))[:len(p.headers)]
	clear(w.ends)
	from, to := p.listsOf(keys.lists())
	if len(w.ends) == 1 { // which needs no counting
		w.sorted = w.sorted[:0]
		for list := from; list < to; list++ {
			keys.each(list, &w.room, w.taker)
		}
		w.ends[0] = len(w.sorted)
		return
	}
	for list := from; list < to; list++ {
		keys.each(list, &w.room, w.counter)
	}
	sum := 0
	for i, n := range w.ends {
		w.ends[i] = sum // for now, where the line's keys begin
		sum += n
	}
	w.sorted = slices.Grow(w.sorted[:0], sum)[:sum]
	for list := from; list < to; list++ {
		keys.each(list, &w.room, w.sorter)
	}
}

// count counts the keys of the part's lines.
func (w *worker) count(hashes []uint64) {
	ends, p := w.ends, &w.part
	from, low, width, multiplier, first := p.from, p.low, p.end-p.low, uint64(p.multiplier), uint64(p.first)
	for _, hash := range hashes {
		own := uint64(uint32(hash)) - from
		if own-low >= width { // of another part
			continue
		}
		if line := own*multiplier>>32 - first; line < uint64(len(ends)) {
			ends[line]++
		}
	}
}

// sort puts the keys of the part's lines where they belong.
func (w *worker) sort(hashes []uint64) {
	ends, sorted, p := w.ends, w.sorted, &w.part
	from, low, width, multiplier, first := p.from, p.low, p.end-p.low, uint64(p.multiplier), uint64(p.first)
	for _, hash := range hashes {
		own := uint64(uint32(hash)) - from
		if own-low >= width {
			continue
		}
		if line := own*multiplier>>32 - first; line < uint64(len(ends)) {
			sorted[ends[line]] = hash - from
			ends[line]++
		}
	}
}

// take is sort for a part of one line.
func (w *worker) take(hashes []uint64) {
	from, low, width := w.part.from, w.part.low, w.part.end-w.part.low
	for _, hash := range hashes {
		if uint64(uint32(hash))-from-low < width {
			w.sorted = append(w.sorted, hash-from)
		}
	}
}
