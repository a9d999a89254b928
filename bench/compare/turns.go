package main

import (
	"io"
	"runtime"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
	"github.com/simdbloom/simdbloom/cpu"
)

// turnsInRound is how many turns a row has in a round, for whose queries there is memory.
const turnsInRound = 64

// timeInTurns times rows in turns of a few queries, in a random order in every turn. So all rows
// have the same share of what else the machine does, and each is compared with what its
// reference took in microseconds before or after. Every turn has queries of its own, which are
// made before the round.
func (f *field) timeInTurns(s *settings, keys *keySource, way queried, terminal io.Writer) (*table, error) {
	turns := turnsInRound
	if s.queries > 0 {
		turns = s.queries / s.turn
	}
	t := &table{queried: way, Queries: s.turn, Rounds: s.rounds * turns, Turns: true, Rows: f.rows()}
	warm, err := f.warmUp(s, keys, way, f.passQueries(s))
	if err != nil {
		return nil, err
	}
	fresh := make([][]*queries, len(t.Rows))
	for i := range fresh {
		for range turns {
			fresh[i] = append(fresh[i], s.newQueries(s.turn, way, f.keyBytes))
		}
	}
	runtime.GC()
	defer machine.Pin()()
	bar := progress.Start(terminal, "Timing", s.rounds*turns)
	defer bar.Done()
	agreed := make(map[*entrant]int)
	for range s.rounds {
		for i, r := range t.Rows {
			for _, q := range fresh[i] {
				keys.fill(q, way.Present)
			}
			r.at(func() { r.query(warm) })
			if err := r.checkShared(warm, agreed); err != nil {
				return nil, err
			}
		}
		for turn := range turns {
			for _, i := range keys.coin.Perm(len(t.Rows)) {
				r, q := t.Rows[i], fresh[i][turn]
				r.at(func() { r.NS = append(r.NS, timing.PerKey(len(q.hashes), func() { r.query(q) })) })
				if err := r.checkPresent(q); err != nil {
					return nil, err
				}
			}
			bar.Add(1)
		}
	}
	t.summarize()
	return t, nil
}

// at does something at the row's level.
func (r *row) at(do func()) {
	restore := cpu.Limit(r.level)
	defer restore()
	do()
}
