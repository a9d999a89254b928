package main

import (
	"io"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/timing"
)

// rate measures the false-positive rate of a filter of rateKeys keys. It stops at
// enough false positives to know the rate to 2 %.
func (s *settings) rate(p *peer, bitsPerKey float64) (*rateResult, error) {
	f, err := p.build(s.keys, rateKeys, bitsPerKey, new(timing.Stopwatch))
	if err != nil {
		return nil, err
	}
	rate := &rateResult{Asked: bitsPerKey}
	s.count(rate, f, rateKeys, rateKeys, 10_000, s.rateQueries)
	if p.predicted != nil {
		rate.Predicted = p.predicted(rateKeys, bitsPerKey)
	}
	return rate, nil
}

// count looks up absent keys, numbered from absent on, until there are enough false positives or
// queries.
func (s *settings) count(r *rateResult, f filter, keys int, absent uint64, enough, most int) {
	const inACall = 1 << 18
	r.BitsPerKey = 8 * float64(f.sizeBytes()) / float64(keys)
	room, hits := newKeys(inACall), make([]bool, inACall)
	for r.FalsePositives < enough && r.Queries < most {
		for _, key := range room {
			s.keys.put(key, absent)
			absent++
		}
		f.batch(room, hits)
		r.Queries += len(room)
		r.FalsePositives += count(hits)
	}
}

// rates measures the rates of all peers.
func (s *settings) rates(run *runResults, terminal io.Writer) error {
	steps := 0
	for _, p := range s.peers {
		steps += len(p.asked)
	}
	bar := progress.Start(terminal, "False-positive rates", steps)
	defer bar.Done()
	for _, p := range s.peers {
		measured := run.peer(p.name)
		measured.Rates = nil
		for _, bitsPerKey := range p.asked {
			rate, err := s.rate(p, bitsPerKey)
			if err != nil {
				return err
			}
			measured.Rates = append(measured.Rates, rate)
			bar.Add(1)
		}
	}
	return nil
}
