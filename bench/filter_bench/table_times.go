package main

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

const (
	rounds          = 7
	lookupsPerRound = 64 << 10 // one by one, and others in one call; if there are as many keys
)

// time times building and looking up, with the keys' hashing. Every round times every row, with other
// keys, and with the rows and the two ways to look up in another order.
func (t *table) time(terminal io.Writer) error {
	defer machine.Pin()()
	bar := progress.Start(terminal, "Timing", rounds*len(t.rows))
	defer bar.Done()
	t.lookups = min(lookupsPerRound, 2*len(t.absent))

	times := make([]struct{ build, one, many []float64 }, len(t.rows))
	hits := make([]bool, t.lookups)
	for round := range rounds {
		for i := range t.rows {
			i = (i + round) % len(t.rows)
			r, of := t.rows[i], &times[i]
			var err error
			of.build = append(of.build, timing.PerKey(len(t.added), func() { r.filter, err = r.build(t.added) }))
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			for way := range 2 {
				way = (way + round) % 2
				keys, added := t.lookupKeys(2*round + way)
				if way == 0 {
					of.one = append(of.one, timing.PerKey(len(keys), func() {
						for j, key := range keys {
							hits[j] = r.filter.Contains(key)
						}
					}))
				} else {
					of.many = append(of.many, timing.PerKey(len(keys), func() { r.filter.ContainsKeys(keys, hits) }))
				}
				for j, hit := range hits {
					if added[j] && !hit {
						return fmt.Errorf("%w: %s, in single or batched lookups", errFalseNegative, r.name)
					}
				}
			}
			bar.Add(1)
		}
	}
	for i, r := range t.rows {
		r.buildNS, r.oneNS, r.manyNS = measured.Median(times[i].build), measured.Median(times[i].one), measured.Median(times[i].many)
	}
	return nil
}

// lookupKeys returns a pass's keys and which of them were added: about half, in no
// order that a branch predictor could learn. Every pass has other keys as long as
// there are.
func (t *table) lookupKeys(pass int) (keys [][]byte, added []bool) {
	coin := rand.New(rand.NewPCG(1, uint64(pass)))
	fresh := [...]int{pass * t.lookups / 2, pass * t.lookups / 2}
	keys, added = make([][]byte, t.lookups), make([]bool, t.lookups)
	for i := range keys {
		side, from := coin.IntN(2), t.absent
		if added[i] = side == 1; added[i] {
			from = t.added
		}
		keys[i] = from[fresh[side]%len(from)]
		fresh[side]++
	}
	return keys, added
}
