package linear

import (
	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/fallback"
	"github.com/simdbloom/simdbloom/internal/hashlog"
	"github.com/simdbloom/simdbloom/internal/linearplan"
	"github.com/simdbloom/simdbloom/internal/parallel"
)

// mostAttempts is how often a filter is built with shorter and shorter fingerprints, until
// its layers hold all keys. Of 3,000 small filters 8 needed a second attempt, and none a
// third one.
const mostAttempts = 3

// attempts builds a filter's layers.
type attempts struct {
	log     *hashlog.Log
	workers []*worker     // one for each goroutine
	bumped  [2]bumpedKeys // which take turns: the keys of a layer, and those that it bumps
	layers  [fallback.MaxLinearLayers]uint32
}

// begin takes memory from the pools.
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
	a.workers = a.workers[:0]
	for i := range a.bumped {
		clear(a.bumped[i].shards)
		a.bumped[i].shards = a.bumped[i].shards[:0]
	}
}

// build writes layers of at most the given number of lines into the body. It returns the
// lines of each, and the number of bits in a fingerprint, which may be fewer than wanted.
// If keys are left in the end, lookups of them fall off the last layer, which is an answer,
// too: so building cannot fail.
func (a *attempts) build(body []byte, r int, lines uint64) ([]uint32, int) {
	for attempt := 1; ; attempt++ {
		layers, left := a.attempt(body, r, lines)
		lower := linearplan.Lower(r)
		if left == 0 || attempt == mostAttempts || lower == 0 {
			return layers, r
		}
		r = lower
	}
}

// attempt builds layers and returns how many keys the last one does not hold.
func (a *attempts) attempt(body []byte, r int, left uint64) (layers []uint32, keys uint64) {
	layers, keys = a.layers[:0], uint64(a.log.Len())
	var source source = logged{a.log}
	for keys > 0 && left > 0 && len(layers) < fallback.MaxLinearLayers {
		lines := left
		if len(layers)+1 < fallback.MaxLinearLayers {
			lines = linearplan.NextLayer(r, keys, left)
		}
		left -= lines
		bumped := &a.bumped[len(layers)%2]
		bumped.empty(keys)
		l := layer{r, uint32(lines), body[:lines*asm.BlockBytes]}
		body = body[len(l.body):]
		a.solve(l, source, keys, bumped)
		layers = append(layers, l.lines)
		source, keys = bumped, bumped.len()
	}
	return layers, keys
}

// solve writes a layer, with all goroutines where there are enough keys.
func (a *attempts) solve(l layer, keys source, n uint64, bumped *bumpedKeys) {
	parts := cut(l.lines, keys.lists(), n, len(a.workers))
	if parts == 1 { // without an allocation
		a.workers[0].solve(l, keys, part{0, l.lines}, bumped.shards[0])
		return
	}
	parallel.Each(min(len(a.workers), parts), parts, func(goroutine, i int) {
		a.workers[goroutine].solve(l, keys, partOf(l.lines, i, parts), bumped.shards[goroutine])
	})
}

// linesOf returns the number of lines in all layers.
func linesOf(layers []uint32) (sum uint64) {
	for _, lines := range layers {
		sum += uint64(lines)
	}
	return sum
}
