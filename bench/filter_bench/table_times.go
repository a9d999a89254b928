package main

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

const (
	rounds          = 7
	lookupsPerRound = 64 << 10 // one by one, and others in one call; if there are as many keys
)

// time times building and looking up, with the keys' hashing. Every round times every row, with other
// keys, and with the rows and the two ways to look up in another order.
func (t *table) time(terminal io.Writer) error {
	defer machine.Pin()()
	bar := progress.Start(terminal, "Timing", rounds*len(t.Rows))
	defer bar.Done()
	t.Rounds, t.Lookups = rounds, min(lookupsPerRound, 2*len(t.absent))

	times := make([]struct{ build, one, many []float64 }, len(t.Rows))
	hits := make([]bool, t.Lookups)
	for round := range rounds {
		for i := range t.Rows {
			i = (i + round) % len(t.Rows)
			r, of := t.Rows[i], &times[i]
			var err error
			of.build = append(of.build, timing.PerKey(len(t.added), func() { r.filter, err = r.build(t.added) }))
			if err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
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
						return fmt.Errorf("%w: %s, in single or batched lookups", errFalseNegative, r.Name)
					}
				}
			}
			bar.Add(1)
		}
	}
	for i, r := range t.Rows {
		r.BuildNS, r.OneNS, r.ManyNS = timing.Median(times[i].build), timing.Median(times[i].one), timing.Median(times[i].many)
	}
	return nil
}

// lookupKeys returns a pass's keys and which of them were added: about half, in no
// order that a branch predictor could learn. Every pass has other keys as long as
// there are.
func (t *table) lookupKeys(pass int) (keys [][]byte, added []bool) {
	coin := rand.New(rand.NewPCG(1, uint64(pass)))
	fresh := [...]int{pass * t.Lookups / 2, pass * t.Lookups / 2}
	keys, added = make([][]byte, t.Lookups), make([]bool, t.Lookups)
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
