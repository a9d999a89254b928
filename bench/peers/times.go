package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// times measures building and lookups of all peers, for filters of every size. In every
// round each peer has its turn, and every round begins with another peer.
func (s *settings) times(run *results.Run, terminal io.Writer) error {
	defer machine.Pin()()
	for _, keys := range s.sizes {
		bar := progress.Start(terminal, fmt.Sprintf("Times, %d keys", keys), 2*s.rounds*len(s.peers))
		err := s.timesOf(run, keys, bar)
		bar.Done()
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) timesOf(run *results.Run, keys int, bar *progress.Bar) error {
	filters := make([]filter, len(s.peers))
	sizes := make([]*results.Size, len(s.peers))
	for i := range sizes {
		sizes[i] = &results.Size{Keys: keys}
		run.Peers[i].Sizes = append(run.Peers[i].Sizes, sizes[i])
	}
	for turn := range s.rounds * len(s.peers) {
		i := s.turn(turn)
		var err error
		if filters[i], err = s.timeBuilding(s.peers[i], keys, sizes[i]); err != nil {
			return err
		}
		bar.Add(1)
	}
	lookups := s.newLookups(keys)
	runtime.GC()
	for turn := range s.rounds * len(s.peers) {
		i := s.turn(turn)
		if err := lookups.time(filters[i], sizes[i]); err != nil {
			return fmt.Errorf("%s, %d keys: %w", s.peers[i].name, keys, err)
		}
		bar.Add(1)
	}
	return nil
}

// turn is the peer whose turn it is.
func (s *settings) turn(turn int) int { return (turn + turn/len(s.peers)) % len(s.peers) }

// timeBuilding times the building of filters with enough keys in all for the clock, and
// returns the last of them.
func (s *settings) timeBuilding(p *peer, keys int, size *results.Size) (f filter, err error) {
	const leastKeys = 1 << 18
	var watch timing.Stopwatch
	runtime.GC() // what the peers before have left
	builds := (leastKeys + keys - 1) / keys
	for range builds {
		if f, err = p.build(s.keys, keys, p.usual, &watch); err != nil {
			return nil, err
		}
	}
	size.Bytes = f.sizeBytes()
	size.Build = append(size.Build, watch.PerKey(uint64(builds*keys)))
	return f, nil
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
func (l *lookups) time(f filter, size *results.Size) error {
	pass := func(times *results.Times, share float64, lookUp func(q *queries)) {
		lookUp(l.warm)
		l.fill(l.q, share)
		*times = append(*times, timing.PerKey(len(l.q.keys), func() { lookUp(l.q) }))
	}
	var hits int
	pass(&size.OneAbsent, absentOnly, func(q *queries) { hits = f.each(q.keys) })
	pass(&size.One, half, func(q *queries) { hits = f.each(q.keys) })
	lost := max(0, count(l.q.present)-hits)
	pass(&size.Batch, half, func(q *queries) { f.batch(q.keys, q.hits) })
	lost += l.q.lost()
	if h, ok := f.(hashFilter); ok {
		pass(&size.Hashes, half, func(q *queries) { h.batchHashes(q.hashesFor(h), q.hits) })
		lost += l.q.lost()
	}
	if lost > 0 {
		return fmt.Errorf("FALSE NEGATIVE: %d present keys were not found", lost)
	}
	return nil
}
