package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// begin returns the run to go on with: a new one, one that was interrupted, or with -only that of
// the file, without what is to be measured again.
func (s *settings) begin(log io.Writer) (*results.Run, error) {
	run := s.newRun()
	if s.only != "" {
		old, err := results.Load(s.out)
		if err != nil {
			return nil, err
		}
		run = s.merged(old, run)
	}
	if s.out == "" {
		return run, nil
	}
	kept, err := results.Load(s.part())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return run, nil
	case err != nil:
		return nil, err
	case !s.goesOn(kept, run):
		return nil, fmt.Errorf("%s is of a run with other settings, peers or machine: remove it, or go on with the settings it had", s.part())
	}
	fmt.Fprintf(log, "peers: going on with %s\n", s.part())
	return kept, nil
}

// merged is the old run without what is to be measured again.
func (s *settings) merged(old, now *results.Run) *results.Run {
	if s.only == onlyTimes {
		now.RateKeys, now.MostRateQueries = old.RateKeys, old.MostRateQueries
		for _, p := range now.Peers {
			if before := old.Peer(p.Name); before != nil {
				p.Rates = before.Rates
			}
		}
		return now
	}
	both := *old
	both.RateKeys, both.MostRateQueries = now.RateKeys, max(now.MostRateQueries, old.MostRateQueries)
	both.Peers = nil
	for _, p := range peers {
		before, again := old.Peer(p.name), now.Peer(p.name)
		switch {
		case again != nil && before != nil:
			again.Sizes = before.Sizes
			fallthrough
		case again != nil:
			both.Peers = append(both.Peers, again)
		case before != nil:
			both.Peers = append(both.Peers, before)
		}
	}
	return &both
}

// goesOn reports whether what was kept is the beginning of the run.
func (s *settings) goesOn(kept, run *results.Run) bool {
	one, other := *kept, *run
	one.Date, one.Load, one.Note = other.Date, other.Load, other.Note
	one.Peers, other.Peers = nil, nil
	if !reflect.DeepEqual(one, other) || len(kept.Peers) != len(run.Peers) {
		return false
	}
	for i, p := range kept.Peers {
		one, other := *p, *run.Peers[i]
		one.Rates, one.Sizes, other.Rates, other.Sizes = nil, nil, nil, nil
		if !reflect.DeepEqual(one, other) {
			return false
		}
		if s.only != onlyRates && slices.ContainsFunc(p.Sizes, func(size *results.Size) bool { return !slices.Contains(s.sizes, size.Keys) }) {
			return false
		}
	}
	return true
}

// part is the file of a run that is not finished.
func (s *settings) part() string { return s.out + ".part" }

// keep writes what was measured so far, if there is a file for it.
func (s *settings) keep(run *results.Run) error {
	if s.out == "" {
		return nil
	}
	text, err := textOf(run)
	if err != nil {
		return err
	}
	written := s.part() + ".new" // so that the part is whole whenever the program ends
	if err := os.WriteFile(written, text, 0o644); err != nil {
		return err
	}
	return os.Rename(written, s.part())
}

// finish makes the part the result.
func (s *settings) finish(run *results.Run) error {
	if err := s.keep(run); err != nil {
		return err
	}
	return os.Rename(s.part(), s.out)
}
