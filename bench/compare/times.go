package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// times measures building and lookups of all peers, for filters of every size and rate. In every round each
// peer has its turn, and every round begins with another peer.
func (s *settings) times(run *runResults, terminal io.Writer) error {
	defer machine.Pin()()
	run.Machine, run.Date = measured.Describe(), time.Now().UTC().Format(time.DateOnly)
	run.Rounds, run.Queries = s.rounds, s.queries
	for _, p := range run.Peers {
		p.Sizes = nil
	}
	for _, keys := range s.sizes {
		for _, oneIn := range timedRates {
			if oneIn == 1000 && keys != middle {
				continue // only the tables of that size have it
			}
			if err := s.timesOf(run, keys, oneIn, terminal); err != nil {
				return fmt.Errorf("%d keys, a rate of 1 in %d: %w", keys, oneIn, err)
			}
		}
	}
	return nil
}

// contender is a peer at a size, with the setting that has the rate.
type contender struct {
	*peer
	size   *sizeResult
	filter filter
}

func (s *settings) timesOf(run *runResults, keys, oneIn int, terminal io.Writer) error {
	var timed []*contender
	for _, p := range s.peers {
		measured := run.peer(p.name)
		asked, ok := p.setting(measured, keys, 1/float64(oneIn))
		if ok {
			timed = append(timed, &contender{p, &sizeResult{Keys: keys, OneIn: oneIn, rateResult: rateResult{Asked: asked}}, nil})
		}
	}
	bar := progress.Start(terminal, fmt.Sprintf("Times, %d keys, 1 in %d", keys, oneIn), 2*s.rounds*len(timed))
	defer bar.Done()
	for turn := range s.rounds * len(timed) {
		if err := s.timeBuilding(timed[turnOf(turn, len(timed))]); err != nil {
			return err
		}
		bar.Add(1)
	}
	lookups := s.newLookups(keys)
	runtime.GC()
	for turn := range s.rounds * len(timed) {
		if err := lookups.time(timed[turnOf(turn, len(timed))]); err != nil {
			return err
		}
		bar.Add(1)
	}
	const enough, most = 400, 12_000_000 // to know the rates to 10 %
	for _, c := range timed {
		s.count(&c.size.rateResult, c.filter, keys, lookups.absent, enough, min(most, s.rateQueries))
		measured := run.peer(c.name)
		measured.Sizes = append(measured.Sizes, c.size)
	}
	return nil
}

// turnOf is the number of the peer whose turn it is.
func turnOf(turn, peers int) int { return (turn + turn/peers) % peers }

// lendForBuilding makes the host back the memory that building a filter of the given keys needs. A host takes back
// memory that earlier filters freed, and faulting it in again may cost several times as much as the building.
func lendForBuilding(keys int) error {
	const bytesPerKey = 24 // enough for most builders
	runtime.GC()           // frees earlier filters
	return machine.Lend(bytesPerKey * keys)
}

// timeBuilding times the building of filters with enough keys in all for the clock, and
// keeps the last of them.
func (s *settings) timeBuilding(c *contender) (err error) {
	const leastKeys = 1 << 18
	var watch timing.Stopwatch
	c.filter = nil
	if err := lendForBuilding(c.size.Keys); err != nil {
		return err
	}
	builds := (leastKeys + c.size.Keys - 1) / c.size.Keys
	for range builds {
		if c.filter, err = c.build(s.keys, c.size.Keys, c.size.Asked, &watch); err != nil {
			return err
		}
	}
	c.size.Build = append(c.size.Build, watch.PerKey(uint64(builds*c.size.Keys)))
	return nil
}

// lookups are the timed passes over filters of some number of keys.
type lookups struct {
	set    keySet
	keys   uint64
	absent uint64 // the number of the next key that was never looked up
	coin   *rand.Rand
	q      *queries
	warm   *queries // of all peers alike
}

func (s *settings) newLookups(keys int) *lookups {
	const warmingUp = 1 << 16
	l := &lookups{
		set: s.keys, keys: uint64(keys), absent: uint64(keys), coin: rand.New(rand.NewPCG(s.keys.seed, uint64(keys))),
		q: newQueries(s.queries), warm: newQueries(warmingUp),
	}
	l.fill(l.warm, half)
	return l
}

func (l *lookups) fill(q *queries, share float64) {
	l.absent = q.fill(l.set, l.coin, l.keys, l.absent, share)
}

// time times every way to look up, each with fresh queries and after other ones.
func (l *lookups) time(c *contender) error {
	f, size := c.filter, c.size
	pass := func(times *times, share float64, lookUp func(q *queries)) {
		lookUp(l.warm)
		l.fill(l.q, share)
		*times = append(*times, timing.PerKey(len(l.q.keys), func() { lookUp(l.q) }))
	}
	var hits int
	pass(&size.OneAbsent, absentOnly, func(q *queries) { hits = f.each(q.keys) })
	pass(&size.One, half, func(q *queries) { hits = f.each(q.keys) })
	lost := max(0, count(l.q.present)-hits)
	if s, ok := f.(storedFilter); ok {
		pass(&size.StoredAbsent, absentOnly, func(q *queries) { hits = s.eachInStore(q.keys) })
		pass(&size.Stored, half, func(q *queries) { hits = s.eachInStore(q.keys) })
		lost += max(0, count(l.q.present)-hits)
	}
	pass(&size.Batch, half, func(q *queries) { f.batch(q.keys, q.hits) })
	lost += l.q.lost()
	if h, ok := f.(hashFilter); ok {
		pass(&size.Hashes, half, func(q *queries) { h.batchHashes(q.hashesFor(h), q.hits) })
		lost += l.q.lost()
	}
	if lost > 0 {
		return fmt.Errorf("%s: FALSE NEGATIVE: %d present keys were not found", c.name, lost)
	}
	return nil
}
