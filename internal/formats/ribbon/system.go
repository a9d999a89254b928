package ribbon

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/aligned"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// slotBytes is the memory for building a slot: its equation, and a hash, of which there
// are hardly fewer.
const slotBytes = asm.RibbonBandBytes + 8

// system is the memory of a filter's equations while it is built.
type system struct {
	shape  fallback.RibbonShape
	band   asm.RibbonBand
	memory []uint64   // the band's
	pieces [][]uint64 // all hashes, a piece for a goroutine at a time
	sorted []uint64   // the hashes part by part
	ends   []uint32   // of each part among them
	next   [][]uint32 // where a goroutine puts its next hash of each part
	ranges []asm.RibbonRange
}

var systems = sync.Pool{New: func() any { return new(system) }}

const (
	// pieceSize is the number of hashes in a piece.
	pieceSize = 1 << 14
	// fewestShared is the number of hashes from which another goroutine pays.
	fewestShared = 1 << 14
	// rangesPerGoroutine is for goroutines to end together.
	rangesPerGoroutine = 4
)

// words returns n words of any content: those given, if there are enough.
func words(memory []uint64, n, goroutines int) []uint64 {
	if cap(memory) >= n {
		return memory[:n]
	}
	const piece = 1 << 18
	memory = make([]uint64, n)
	parallel.Each(goroutines, (n+piece-1)/piece, func(_, i int) { aligned.Populate(memory[i*piece : min((i+1)*piece, n)]) })
	return memory
}

// take reads the hashes of a log, which must not change before release. It returns the number of
// goroutines that pay.
func (s *system) take(log *hashlog.Log, goroutines int) int {
	for hashes := range log.All() {
		for len(hashes) > 0 {
			n := min(pieceSize, len(hashes))
			s.pieces, hashes = append(s.pieces, hashes[:n]), hashes[n:]
		}
	}
	return min(goroutines, 1+log.Len()/fewestShared)
}

// release gives the memory back to the pool.
func (s *system) release() {
	clear(s.pieces)
	s.pieces = s.pieces[:0]
	systems.Put(s)
}

// add puts the hashes' equations for an ordinal seed into the band of a number of blocks. It
// reports false if they contradict each other.
func (s *system) add(blocks uint32, seed byte, goroutines int) bool {
	s.shape = fallback.NewRibbonShape(0, blocks, seed)
	s.memory = words(s.memory, int(blocks)*fallback.RibbonBlockSlots*asm.RibbonBandBytes/8, goroutines)
	s.band.Use(s.memory, blocks)
	parts := s.shape.Parts()
	ranges := 1
	if goroutines > 1 {
		ranges = min(parts, goroutines*rangesPerGoroutine)
	}
	s.ranges = slices.Grow(s.ranges[:0], ranges)[:ranges]
	s.sort(goroutines)
	if ranges == 1 { // without an allocation
		return s.fill(0, parts, seed) && s.ranges[0].Join()
	}
	var failed atomic.Bool
	parallel.Each(goroutines, ranges, func(_, i int) {
		if !failed.Load() && !s.fill(i, parts, seed) {
			failed.Store(true)
		}
	})
	if failed.Load() {
		return false
	}
	for i := range s.ranges {
		if !s.ranges[i].Join() {
			return false
		}
	}
	return true
}

// sort sorts the hashes by part, by counting.
func (s *system) sort(goroutines int) {
	parts := s.shape.Parts()
	for len(s.next) < goroutines {
		s.next = append(s.next, nil)
	}
	for i := range s.next[:goroutines] {
		s.next[i] = slices.Grow(s.next[i][:0], parts)[:parts]
		clear(s.next[i])
	}
	if goroutines == 1 { // without an allocation
		s.count(0, 1)
	} else {
		parallel.Each(goroutines, goroutines, func(_, i int) { s.count(i, goroutines) })
	}
	s.ends = slices.Grow(s.ends[:0], parts)[:parts]
	sum := uint32(0)
	for part := range s.ends {
		for _, next := range s.next[:goroutines] {
			next[part], sum = sum, sum+next[part]
		}
		s.ends[part] = sum
	}
	s.sorted = words(s.sorted, int(sum), goroutines)
	if goroutines == 1 {
		s.put(0, 1)
	} else {
		parallel.Each(goroutines, goroutines, func(_, i int) { s.put(i, goroutines) })
	}
}

// share returns the pieces that a goroutine sorts.
func (s *system) share(goroutine, goroutines int) [][]uint64 {
	n := len(s.pieces)
	return s.pieces[n*goroutine/goroutines : n*(goroutine+1)/goroutines]
}

func (s *system) count(goroutine, goroutines int) {
	for _, piece := range s.share(goroutine, goroutines) {
		s.shape.CountParts(s.next[goroutine], piece)
	}
}

func (s *system) put(goroutine, goroutines int) {
	for _, piece := range s.share(goroutine, goroutines) {
		s.shape.SortByPart(s.sorted, s.next[goroutine], piece)
	}
}

// fill adds the parts of a range. It reports false if their equations contradict each other.
func (s *system) fill(i, parts int, seed byte) bool {
	from, end := parts*i/len(s.ranges), parts*(i+1)/len(s.ranges)
	r := &s.ranges[i]
	r.Begin(&s.band, seed, from, end)
	for part := from; part < end; part++ {
		begin := uint32(0)
		if part > 0 {
			begin = s.ends[part-1]
		}
		if !r.Add(s.sorted[begin:s.ends[part]]) {
			return false
		}
	}
	r.End()
	return true
}

// solve writes the solution into a body of zeros.
func (s *system) solve(body []byte, blocks uint32, goroutines int) {
	shape := fallback.NewRibbonShape(uint64(len(body)), blocks, 0)
	columns, together := shape.Columns, asm.RibbonColumnsSolved()
	if goroutines == 1 || columns <= together { // without an allocation
		s.band.SolveColumns(body, 0, columns)
		return
	}
	pieces := (columns + together - 1) / together
	parallel.Each(goroutines, pieces, func(_, i int) {
		s.band.SolveColumns(body, i*together, min((i+1)*together, columns))
	})
}
