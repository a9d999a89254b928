package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

const (
	rounds          = 7
	lookupsPerRound = 128 << 10 // if there are as many keys
)

// measureTimes builds the rows' filters and times building, hashing and asking:
// in rounds, every row in each of them, every round with other keys.
func (t *table) measureTimes(terminal io.Writer) error {
	defer machine.Pin()()
	bar := progress.Start(terminal, "Timing", rounds*len(t.Rows))
	defer bar.Done()
	t.Rounds, t.Lookups, t.HashNS = rounds, min(lookupsPerRound, 2*len(t.absent)), make(map[string]float64)

	hashTimes := make([][]float64, len(t.hashes))
	times := make([]struct{ build, alone, batched []float64 }, len(t.Rows))
	hashes := make([][]uint64, len(t.hashes))
	hits := make([]bool, t.Lookups)
	for round := range rounds {
		keys := t.lookupKeys(round)
		for i, hash := range t.hashes {
			hashTimes[i] = append(hashTimes[i], perKey(len(keys), func() { hashes[i] = hash.AppendHashes(hashes[i][:0], keys) }))
		}
		for i, r := range t.Rows {
			var err error
			times[i].build = append(times[i].build, perKey(len(t.added), func() { err = r.build(t.added) }))
			if err != nil {
				return err
			}
			mine := hashes[r.hash]
			alone := perKey(len(mine), func() {
				for j, hash := range mine {
					hits[j] = r.filter.ContainsHash(hash)
				}
			})
			batched := perKey(len(mine), func() { r.filter.ContainsHashes(mine, hits) })
			times[i].alone = append(times[i].alone, alone)
			times[i].batched = append(times[i].batched, batched)
			bar.Add(1)
		}
	}
	for i, hash := range t.hashes {
		t.HashNS[hash.Name()] = median(hashTimes[i])
	}
	for i, r := range t.Rows {
		r.BuildNS, r.LookupNS, r.BatchNS = median(times[i].build), median(times[i].alone), median(times[i].batched)
	}
	return nil
}

// lookupKeys returns a round's keys: as many added ones as absent ones, about,
// in no order that a branch predictor could learn, and other ones in every round
// as long as there are.
func (t *table) lookupKeys(round int) [][]byte {
	coin := rand.New(rand.NewPCG(1, uint64(round)))
	sources := [...][][]byte{t.added, t.absent}
	start := round * t.Lookups / 2
	next := [...]int{start, start}
	keys := make([][]byte, t.Lookups)
	for i := range keys {
		side := coin.IntN(len(sources))
		keys[i] = sources[side][next[side]%len(sources[side])]
		next[side]++
	}
	return keys
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

// perKey returns the nanoseconds that f takes for each of so many keys.
func perKey(keys int, f func()) float64 {
	start := time.Now()
	f()
	return float64(time.Since(start).Nanoseconds()) / float64(keys)
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}
