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
	lookupsPerRound = 64 << 10 // alone, and others batched; if there are as many keys
)

// build builds the rows' filters and times that, hashing and lookups. Every round times
// every row, with other keys, and with the rows and the two ways to look up in another order.
func (t *table) build(terminal io.Writer) error {
	defer machine.Pin()()
	bar := progress.Start(terminal, "Timing", rounds*len(t.Rows))
	defer bar.Done()
	t.Rounds, t.Lookups, t.HashNS = rounds, min(lookupsPerRound, 2*len(t.absent)), make(map[string]float64)

	hashTimes := make([][]float64, len(t.hashes))
	times := make([]struct{ build, alone, batched []float64 }, len(t.Rows))
	hashes := make([][2][]uint64, len(t.hashes)) // of the keys looked up alone, and batched
	hits := make([]bool, t.Lookups)
	for round := range rounds {
		var added [2][]bool
		for pass := range added {
			var keys [][]byte
			keys, added[pass] = t.lookupKeys(2*round + pass)
			for i, hash := range t.hashes {
				hashTimes[i] = append(hashTimes[i], timing.PerKey(len(keys), func() {
					hashes[i][pass] = hash.AppendHashes(hashes[i][pass][:0], keys)
				}))
			}
		}
		for i := range t.Rows {
			i = (i + round) % len(t.Rows)
			r := t.Rows[i]
			var err error
			times[i].build = append(times[i].build, timing.PerKey(len(t.added), func() { err = r.build(t.added) }))
			if err != nil {
				return err
			}
			mine := hashes[r.hash]
			for pass := range added {
				pass = (pass + round) % len(added)
				if pass == 0 {
					times[i].alone = append(times[i].alone, timing.PerKey(len(hits), func() {
						for j, hash := range mine[pass] {
							hits[j] = r.filter.ContainsHash(hash)
						}
					}))
				} else {
					times[i].batched = append(times[i].batched, timing.PerKey(len(hits), func() { r.filter.ContainsHashes(mine[pass], hits) }))
				}
				for j, hit := range hits {
					if added[pass][j] && !hit {
						return fmt.Errorf("%w: %s, in single or batched lookups", errFalseNegative, r.Policy)
					}
				}
			}
			bar.Add(1)
		}
	}
	for i, hash := range t.hashes {
		t.HashNS[hash.Name()] = timing.Median(hashTimes[i])
	}
	for i, r := range t.Rows {
		r.BuildNS, r.LookupNS, r.BatchNS = timing.Median(times[i].build), timing.Median(times[i].alone), timing.Median(times[i].batched)
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

// build builds the row's filter.
func (r *row) build(keys [][]byte) error {
	b := r.policy.NewBuilder()
	for _, key := range keys {
		b.Add(key)
	}
	r.Keys = b.Len()
	data, err := b.Finish()
	if err == nil {
		r.filter, err = r.policy.Open(data)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.Policy, err)
	}
	return nil
}
