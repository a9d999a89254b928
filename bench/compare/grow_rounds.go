package main

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
)

// adding is a row's keys for a pass.
type adding struct {
	added, asked *queries
	// Untimed: keys that the filter has, which change nothing, and others to look up.
	known, warm *queries
}

// timeGrowing times every row in every round, in a random order. Every timed pass adds fresh
// keys. Filters have half of their keys at first, and again when they are full.
func (f *field) timeGrowing(s *settings, terminal io.Writer) (*growTable, error) {
	keys := newKeySource(s.seed, f.firstKeys().keys)
	keys.fresh = f.keys
	n := f.passQueries(s)
	t := &growTable{Keys: n, Add: s.add, Rounds: s.rounds, Rows: f.grownRows()}
	a := &adding{newQueries(n, 0, f.keyBytes), newQueries(n, 0, f.keyBytes), newQueries(n, 0, f.keyBytes), newQueries(n, 0, f.keyBytes)}
	keys.fill(a.known, 1)
	keys.fill(a.warm, sharePresent)
	runtime.GC()
	bar := progress.Start(terminal, "Timing", s.rounds*(len(t.Rows)+len(f.entrants)))
	defer bar.Done()
	for range s.rounds {
		for _, i := range keys.coin.Perm(len(t.Rows)) {
			r := t.Rows[i]
			keys.fill(a.added, 0)
			keys.fill(a.asked, sharePresent)
			if err := r.pass(a); err != nil {
				return nil, fmt.Errorf("row %q: %w", r.Name, err)
			}
			bar.Add(1)
		}
	}
	for _, e := range f.entrants {
		hits, err := f.falsePositives(s, e.contestant.(grower), keys, a, func() { bar.Add(1) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name(), err)
		}
		for _, r := range t.Rows {
			if r.entrant == e {
				r.Absent, r.FalsePositives = n*s.rounds, hits
			}
		}
	}
	t.summarize()
	return t, nil
}

// pass times one pass.
func (r *grownRow) pass(a *adding) (err error) {
	g := r.entrant.contestant.(grower)
	var watch time.Duration
	r.at(func() {
		if r.grow.goroutines == 1 {
			defer machine.Pin()()
		} else {
			defer atLeast(r.grow.goroutines)()
		}
		g.turns(a.known, a.warm)
		for from := 0; from < len(a.added.hashes) && err == nil; {
			to := from + g.take(len(a.added.hashes)-from)
			added, asked := a.added.part(from, to), a.asked.part(from, to)
			watch += r.grow.time(added, asked)
			a.asked.found += asked.found
			from = to
			err = a.check(g, added)
		}
	})
	r.NS = append(r.NS, float64(watch.Nanoseconds())/float64(len(a.added.hashes)))
	if r.grow.way == inTurn && err == nil && a.asked.found < a.asked.present {
		err = fmt.Errorf("FALSE NEGATIVE, which must not happen: found %d of %d present keys", a.asked.found, a.asked.present)
	}
	a.asked.found = 0
	return err
}

// check looks for some of the keys that were just added.
func (a *adding) check(g grower, added *queries) error {
	const most = 64
	n := min(most, len(added.hashes))
	some := added.part(len(added.hashes)-n, len(added.hashes))
	if g.turns(a.known.part(0, n), some); some.found != n {
		return fmt.Errorf("FALSE NEGATIVE, which must not happen: found %d of %d added keys", some.found, n)
	}
	return nil
}

// falsePositives fills a filter up and looks up absent keys, as many as are timed.
func (f *field) falsePositives(s *settings, g grower, keys *keySource, a *adding, done func()) (hits int, err error) {
	g.restore()
	for number := f.firstKeys().keys; number < f.keys; number += uint64(len(a.added.hashes)) {
		n := int(min(uint64(len(a.added.hashes)), f.keys-number))
		a.added.number(s.seed, number, n)
		added := a.added.part(0, n)
		g.add(added, nil)
		if err := a.check(g, added); err != nil {
			return 0, err
		}
	}
	for range s.rounds {
		keys.fill(a.asked, 0)
		g.turns(a.known, a.asked)
		hits += a.asked.found
		a.asked.found = 0
		done()
	}
	return hits, nil
}

// atLeast sets GOMAXPROCS to the number of goroutines, if it is below that.
func atLeast(goroutines int) (release func()) {
	before := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(max(before, goroutines))
	return func() { runtime.GOMAXPROCS(before) }
}

// time returns what adding takes.
func (g *growth) time(added, asked *queries) time.Duration {
	if g.goroutines > 1 {
		return g.timeTogether(added)
	}
	start := time.Now()
	g.add(added, asked)
	return time.Since(start)
}

// timeTogether returns the time from when the first of the goroutines begins, all of which
// wait for each other, to when the last of them ends.
func (g *growth) timeTogether(added *queries) time.Duration {
	var (
		wait       sync.WaitGroup
		ready      atomic.Int64
		begun, end = make([]time.Time, g.goroutines), make([]time.Time, g.goroutines)
		n          = len(added.hashes)
	)
	for i := range g.goroutines {
		share := added.part(n*i/g.goroutines, n*(i+1)/g.goroutines)
		wait.Go(func() {
			defer machine.PinTo(i)() // or a busy system runs them one after the other on one CPU
			for ready.Add(1); ready.Load() < int64(g.goroutines); {
				runtime.Gosched()
			}
			begun[i] = time.Now()
			g.add(share, nil)
			end[i] = time.Now()
		})
	}
	wait.Wait()
	first, last := begun[0], end[0]
	for i := range begun {
		if begun[i].Before(first) {
			first = begun[i]
		}
		if end[i].After(last) {
			last = end[i]
		}
	}
	return last.Sub(first)
}
