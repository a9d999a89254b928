package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/cpu"
)

const (
	leastQueries  = 256 << 10
	mostWarmingUp = 1 << 20
)

// passQueries is how many queries a timed pass has. Fewer than there are lines
// would leave the last row's in the caches for the next.
func (f *field) passQueries(s *settings) int {
	if s.queries > 0 {
		return s.queries
	}
	return max(leastQueries, f.bytes/asm.BlockBytes)
}

// time times every row in every round. A round's queries are the same for all
// rows; before them each row is asked others, so that it does not find the caches
// as the row before has left them.
func (f *field) time(s *settings, keys *keySource, present float64, batch int, terminal io.Writer) (*table, error) {
	t := &table{Present: present, Batch: batch, Queries: f.passQueries(s), Rounds: s.rounds, Rows: f.rows()}
	q := newQueries(t.Queries, batch, f.keyBytes)
	warm := newQueries(min(t.Queries, mostWarmingUp), batch, f.keyBytes)
	keys.fill(warm, present)
	for _, e := range f.entrants {
		if v, ok := e.contestant.(verifier); ok {
			if err := v.verify(warm); err != nil {
				return nil, fmt.Errorf("%s: %w", e.name(), err)
			}
		}
	}
	runtime.GC()
	defer machine.Pin()()
	bar := progress.Start(terminal, "Timing", s.rounds*len(t.Rows))
	defer bar.Done()
	for round := range s.rounds {
		keys.fill(q, present)
		agreed := make(map[*entrant]int)
		for i := range t.Rows {
			r := t.Rows[(i+round)%len(t.Rows)]
			r.NS = append(r.NS, r.time(warm, q))
			if err := r.check(q, agreed); err != nil {
				return nil, err
			}
			bar.Add(1)
		}
	}
	t.summarize()
	return t, nil
}

// time returns the nanoseconds a query of one pass.
func (r *timedRow) time(warm, q *queries) float64 {
	restore := cpu.Limit(r.level)
	defer restore()
	r.ask(warm)
	return timing.PerKey(len(q.hashes), func() { r.ask(q) })
}

// check counts the answers of the pass just timed: no key may be lost, and all
// rows of a filter must agree.
func (r *timedRow) check(q *queries, agreed map[*entrant]int) error {
	if !r.answers() {
		return nil
	}
	hits := r.hits(q)
	r.Hits += hits
	if hits < q.present {
		return fmt.Errorf("FALSE NEGATIVE, which must not happen: row %q found %d of %d present keys", r.Name, hits, q.present)
	}
	if others, seen := agreed[r.entrant]; seen && hits != others {
		return fmt.Errorf("row %q has %d hits, where another row of the same filter has %d", r.Name, hits, others)
	}
	agreed[r.entrant] = hits
	return nil
}
