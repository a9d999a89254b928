package linear

import (
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

const (
	// mostLengths is the number of fingerprint lengths that a filter tries, from the planned one down, until its
	// layers hold all keys. Of 50 filters of 10,000 keys, 7 need a second one.
	mostLengths = 9

	// shorter is by how many 64ths of a bit the next length is shorter.
	shorter = 2

	// Filters of up to mostTried lines first try all fingerprints that are longer than planned and that they have
	// enough slots for.
	mostTried = 32
)

// firstLayers are added to the multiplier of the first layer's second section, in turn, with each length.
// Another number of lines distributes the keys anew.
var firstLayers = [...]int{0, -1, 1, -2, 2}

// attempts builds a filter's layers.
type attempts struct {
	log         *hashlog.Log
	workers     []*worker     // one for each goroutine
	bumped      [2]bumpedKeys // which take turns: the keys of a layer, and those that it bumps
	multipliers [][2]uint32   // of the layers
	layers      fallback.LinearLayers
	section     section // that is being built
}

// begin gets memory from the pools.
func (a *attempts) begin(log *hashlog.Log, goroutines int) {
	a.log = log
	for range goroutines {
		w := workers.Get().(*worker)
		a.workers = append(a.workers, w)
		for i := range a.bumped {
			a.bumped[i].shards = append(a.bumped[i].shards, &w.shards[i])
		}
	}
}

// end gives it back.
func (a *attempts) end() {
	for _, w := range a.workers {
		w.release()
	}
	clear(a.workers)
	a.workers, a.section = a.workers[:0], section{}
	for i := range a.bumped {
		clear(a.bumped[i].shards)
		a.bumped[i].shards = a.bumped[i].shards[:0]
	}
}

// build writes layers into the memory, which has room for the plan's lines, and returns the plan that
// they have in the end. A filter of few lines has longer fingerprints than planned if they fit, and may have fewer lines then, at
// least the given number. If keys are left in the end, lookups of them fall off the last layer, which is an answer, too: so
// building cannot fail.
func (a *attempts) build(m memory, p Plan, least uint64) Plan {
	keys := uint64(a.log.Len())
	for lines := least; lines <= min(p.Lines, mostTried); lines++ {
		for r := fallback.MostLinearBits; r > p.Bits || r == p.Bits && lines < p.Lines; r = fallback.LinearShorter(r) {
			tried := Plan{Bits: r, Lines: lines}
			if keys <= lines*uint64(fallback.LinearSlotsOf(r)) && a.attempt(m, tried, 0) == 0 {
				return tried
			}
		}
	}
	return a.buildPlanned(m, p)
}

// buildPlanned is build with the planned length of fingerprints, or the next shorter ones.
func (a *attempts) buildPlanned(m memory, p Plan) Plan {
	keys := uint64(a.log.Len())
	for range mostLengths {
		p = p.Undivided(keys)
		// Without a first section in the first layer, nearly all fingerprints would be the shorter ones.
		if p.Cut == 0 || p.NextLayer(keys, p.Lines)[0] > 0 {
			for _, first := range firstLayers {
				if a.attempt(m, p, first) == 0 {
					return p
				}
			}
		}
		next, exists := p.Shorter(shorter)
		if !exists {
			break
		}
		p = next
	}
	p.Cut = 0
	a.attempt(m, p, 0)
	return p
}

// attempt builds layers and returns how many keys the last one does not hold. It adds a number to a multiplier of the
// first layer; if that leaves no lines for the others, it holds no keys.
func (a *attempts) attempt(m memory, p Plan, first int) (keys uint64) {
	keys = uint64(a.log.Len())
	a.multipliers = a.multipliers[:0]
	var source source = logged{a.log}
	for left := p.Lines; keys > 0 && left > 0 && len(a.multipliers) < fallback.MaxLinearLayers; {
		of := [2]uint32{0, uint32(left)}
		if len(a.multipliers)+1 < fallback.MaxLinearLayers {
			of = p.NextLayer(keys, left)
		}
		if first != 0 && len(a.multipliers) == 0 {
			if of[1] = uint32(int(of[1]) + first); int32(of[1]) < 1 || p.LinesOf(of) >= left {
				return keys
			}
		}
		a.multipliers = append(a.multipliers, of)
		a.layers, _ = fallback.NewLinearLayers(a.multipliers, p.Cut, p.Bits)
		bumped := &a.bumped[len(a.multipliers)%2]
		bumped.empty(keys)
		halves := &a.workers[0].halves
		for number := range 2 {
			var exists bool
			if a.section, exists = sectionOf(&a.layers, number, m); !exists {
				continue
			}
			if number == 0 && source.lists() == 1 {
				halves.fill(source, keys, a.section.to, &a.workers[0].room)
			}
			if of[0] > 0 && source.lists() == 1 {
				a.solve(&halves.sections[number], keys, bumped)
			} else {
				a.solve(source, keys, bumped)
			}
		}
		left = p.Lines - uint64(a.layers.NumLines())
		source, keys = bumped, bumped.len()
	}
	return keys
}

// solve writes the section, of a layer of some keys, with all goroutines where there are enough keys.
func (a *attempts) solve(keys source, ofLayer uint64, bumped *bumpedKeys) {
	s := &a.section
	parts := s.parts(keys.lists(), ofLayer*((s.to-s.from)>>26)/64, len(a.workers))
	if parts == 1 { // without an allocation
		a.workers[0].solve(s.part(0, 1), keys, bumped.shards[0])
		return
	}
	parallel.Each(min(len(a.workers), parts), parts, func(goroutine, i int) {
		a.workers[goroutine].solve(s.part(i, parts), keys, bumped.shards[goroutine])
	})
}
