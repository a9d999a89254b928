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
	first       firstLayer
	firsts      [64]plannedFirst // planned last: choosing one takes an eighth of 100 keys
}

// firstLayer is shared by attempts with the same plan.
type firstLayer struct {
	plannedFirst
	solved bool // the first section is: the worker has the keys that it bumps
}

// plannedFirst is the first layer that a plan has for some number of keys.
type plannedFirst struct {
	plan        Plan
	keys        uint64
	multipliers [2]uint32
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
	a.workers, a.section, a.first.solved = a.workers[:0], section{}, false
	for i := range a.bumped {
		clear(a.bumped[i].shards)
		a.bumped[i].shards = a.bumped[i].shards[:0]
	}
}

// build writes layers into the memory, which has room for the plan's lines, and returns the plan that
// they have in the end. A filter of few lines has longer fingerprints than planned if they fit, and may have fewer
// lines then, at least the given number. If keys are left in the end, lookups of them fall off the last layer, which is
// an answer, too: so building cannot fail.
func (a *attempts) build(m memory, p Plan, least uint64) Plan {
	keys := uint64(a.log.Len())
	for lines := least; lines <= min(p.Lines, mostTried); lines++ {
		for r := fallback.MostLinearBits; r > p.Bits || r == p.Bits && lines < p.Lines; r = shorterBits(r) {
			tried := Plan{Bits: r, Lines: lines}
			if keys <= lines*slots(r) && a.attempt(m, tried, 0) == 0 {
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
		p = p.undivided(keys)
		// Without a first section in the first layer, nearly all fingerprints would be the shorter ones.
		if p.Cut == 0 || a.firstOf(p)[0] > 0 {
			for _, first := range firstLayers {
				if a.attempt(m, p, first) == 0 {
					return p
				}
			}
		}
		next, exists := p.shorter(shorter)
		if !exists {
			break
		}
		p = next
	}
	p.Cut = 0
	a.attempt(m, p, 0)
	return p
}

// firstOf returns the planned multipliers of the first layer.
func (a *attempts) firstOf(p Plan) [2]uint32 {
	if keys := uint64(a.log.Len()); a.first.plan != p || a.first.keys != keys {
		const lengths = 8 // that filters of one number of keys try
		known := &a.firsts[(keys*lengths+uint64(p.Bits%lengths))%uint64(len(a.firsts))]
		if known.plan != p || known.keys != keys {
			*known = plannedFirst{p, keys, p.NextLayer(keys, p.Lines)}
		}
		a.first = firstLayer{plannedFirst: *known}
	}
	return a.first.multipliers
}

// attempt builds layers and returns how many keys the last one does not hold. It adds a number to a multiplier of the
// first layer; if that leaves no lines for the others, it holds no keys.
func (a *attempts) attempt(m memory, p Plan, first int) (keys uint64) {
	keys = uint64(a.log.Len())
	a.multipliers = a.multipliers[:0]
	var source source = logged{a.log}
	for left := p.Lines; keys > 0 && left > 0 && len(a.multipliers) < fallback.MaxLinearLayers; {
		of := [2]uint32{0, uint32(left)}
		switch len(a.multipliers) + 1 {
		case 1:
			of = a.firstOf(p)
			if of[1] = uint32(int(of[1]) + first); first != 0 && (int32(of[1]) < 1 || linesOf(of, p.Cut) >= left) {
				return keys
			}
		case fallback.MaxLinearLayers:
		default:
			of = p.NextLayer(keys, left)
		}
		a.multipliers = append(a.multipliers, of)
		a.layers, _ = fallback.NewLinearLayers(a.multipliers, p.Cut, p.Bits)
		bumped := a.solveLayer(m, source, keys)
		left = p.Lines - uint64(a.layers.NumLines())
		source, keys = bumped, bumped.len()
	}
	return keys
}

// solveLayer writes the last layer, and returns the keys that it bumps. Other second sections in the first layer leave
// its first section as it is.
func (a *attempts) solveLayer(m memory, keys source, n uint64) *bumpedKeys {
	layer := len(a.multipliers) - 1
	bumped := &a.bumped[layer%2]
	bumped.empty(n)
	w := a.workers[0]
	halves, divided := &w.halves[min(layer, 1)], a.multipliers[layer][0] > 0 && keys.lists() == 1
	for number := range 2 {
		var exists bool
		if a.section, exists = sectionOf(&a.layers, number, m); !exists {
			continue
		}
		switch {
		case !divided:
			a.solve(keys, n, bumped)
		case number == 1:
			a.solve(&halves.sections[1], n, bumped)
		case layer == 0 && a.first.solved:
			bumped.shards[0].addAll(w.first)
		default:
			halves.fill(keys, n, a.section.to, &w.room)
			a.solve(&halves.sections[0], n, bumped)
			if layer == 0 {
				w.first, a.first.solved = bumped.appendTo(w.first[:0]), true
			}
		}
	}
	return bumped
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
