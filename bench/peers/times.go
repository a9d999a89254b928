package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// heavyKeys is the most keys in filters of peers that are heavy.
const heavyKeys = 9 * (1 << 25) / 10

// times measures building and lookups of all peers, for filters of every size that is not in the
// run yet. In every round each peer has its turn, and every round begins with another peer.
func (s *settings) times(run *results.Run, terminal io.Writer) error {
	defer machine.Pin()()
	for _, keys := range s.sizes {
		timed := slices.DeleteFunc(slices.Clone(s.peers), func(p *peer) bool {
			return p.heavy && keys > heavyKeys || run.Peer(p.name).At(keys) != nil
		})
		bar := progress.Start(terminal, fmt.Sprintf("Times, %d keys", keys), 2*s.rounds*len(timed))
		sizes, err := s.timesOf(timed, keys, bar)
		bar.Done()
		if err != nil {
			return err
		}
		for i, p := range timed {
			measured := run.Peer(p.name)
			measured.Sizes = append(measured.Sizes, sizes[i])
		}
		run.Load = max(run.Load, machine.Load())
		if err := s.keep(run); err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) timesOf(timed []*peer, keys int, bar *progress.Bar) ([]*results.Size, error) {
	filters := make([]filter, len(timed))
	sizes := make([]*results.Size, len(timed))
	for i := range sizes {
		sizes[i] = &results.Size{Keys: keys}
	}
	for turn := range s.rounds * len(timed) {
		i := turnOf(turn, len(timed))
		var err error
		if filters[i], err = s.timeBuilding(timed[i], keys, sizes[i]); err != nil {
			return nil, err
		}
		bar.Add(1)
	}
	lookups := s.newLookups(keys)
	runtime.GC()
	for turn := range s.rounds * len(timed) {
		i := turnOf(turn, len(timed))
		if err := lookups.time(filters[i], sizes[i]); err != nil {
			return nil, fmt.Errorf("%s, %d keys: %w", timed[i].name, keys, err)
		}
		bar.Add(1)
	}
	return sizes, nil
}

// turnOf is the number of the peer whose turn it is.
func turnOf(turn, peers int) int { return (turn + turn/peers) % peers }

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
