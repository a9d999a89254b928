package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/simdbloom/simdbloom/asm"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

const (
	leastQueries  = 256 << 10
	mostAtOnce    = 64 << 10 // hashes of small filters' queries, which stay beside them in a cache
	mostWarmingUp = 1 << 20
)

// passQueries is how many queries a timed pass has. Fewer than there are lines
// would leave the last row's in the caches for the next.
func (f *field) passQueries(s *settings) int {
	if s.queries > 0 {
		return s.queries
	}
	return max(leastQueries, f.filters*f.bytes/asm.BlockBytes)
}

// atOnce is how many of n queries are timed at once. A megabyte of hashes and answers would leave
// little of a small filter in the second-level cache, where its users have it.
func (f *field) atOnce(s *settings, n int) int {
	if s.queries > 0 || f.filters*f.bytes > mostAtOnce*asm.BlockBytes {
		return n
	}
	return mostAtOnce
}

// time times every row in every round. Every timed pass has queries of its own: a pass
// that repeated those of the row before would find more of their lines in the caches
// (single lookups took 13 to 15 ns at 32 MiB then, and not 17 to 19). Before it the row
// answers other queries, the same for all rows, so that it does not find the caches as
// the row before has left them.
func (f *field) time(s *settings, keys *keySource, way queried, terminal io.Writer) (*table, error) {
	t := &table{queried: way, Queries: f.passQueries(s), Rounds: s.rounds, Rows: f.rows()}
	q := s.newQueries(f.atOnce(s, t.Queries), way, f.keyBytes)
	warm, err := f.warmUp(s, keys, way, len(q.hashes))
	if err != nil {
		return nil, err
	}
	runtime.GC()
	defer machine.Pin()()
	bar := progress.Start(terminal, "Timing", s.rounds*len(t.Rows))
	defer bar.Done()
	agreed := make(map[*entrant]int)
	passes := t.Queries / len(q.hashes)
	for round := range s.rounds {
		for i := range t.Rows {
			r := t.Rows[(i+round)%len(t.Rows)]
			ns := 0.0
			for range passes {
				keys.fill(q, way.Present)
				ns += r.time(warm, q)
				if err := r.check(warm, q, agreed); err != nil {
					return nil, err
				}
			}
			r.NS = append(r.NS, ns/float64(passes))
			bar.Add(1)
		}
	}
	t.summarize()
	return t, nil
}

// warmUp returns queries that all rows answer before they are timed, with which filters are
// verified.
func (f *field) warmUp(s *settings, keys *keySource, way queried, most int) (*queries, error) {
	warm := s.newQueries(min(most, mostWarmingUp), way, f.keyBytes)
	keys.fill(warm, way.Present)
	for _, e := range f.entrants {
		if v, ok := e.contestant.(verifier); ok {
			if err := v.verify(warm); err != nil {
				return nil, fmt.Errorf("%s: %w", e.name(), err)
			}
		}
	}
	return warm, nil
}

// time returns the nanoseconds a query of one pass.
func (r *timedRow) time(warm, q *queries) (ns float64) {
	r.at(func() {
		r.query(warm)
		ns = timing.PerKey(len(q.hashes), func() { r.query(q) })
	})
	return ns
}

// check counts the answers of the pass just timed. No present key may be lost, and all
// rows of a filter must agree on the queries that they share.
func (r *timedRow) check(warm, q *queries, agreed map[*entrant]int) error {
	if err := r.checkPresent(q); err != nil {
		return err
	}
	return r.checkShared(warm, agreed)
}

func (r *timedRow) checkPresent(q *queries) error {
	if !r.answers() {
		return nil
	}
	hits := r.hits(q)
	r.Hits += hits
	if hits < q.present {
		return fmt.Errorf("FALSE NEGATIVE, which must not happen: row %q found %d of %d present keys", r.Name, hits, q.present)
	}
	return nil
}

func (r *timedRow) checkShared(warm *queries, agreed map[*entrant]int) error {
	if !r.answers() {
		return nil
	}
	shared := r.hits(warm)
	if others, seen := agreed[r.entrant]; seen && shared != others {
		return fmt.Errorf("row %q has %d hits, where another row of the same filter has %d", r.Name, shared, others)
	}
	agreed[r.entrant] = shared
	return nil
}
