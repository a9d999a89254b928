package main

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
)

// promiseTolerance is by how much a rate may be above the promised one, beyond what
// counting explains: what the model may be off.
const promiseTolerance = 0.01

// promises checks BitsPerKeyFor: builds at the bits per key that it gives, and
// counts whether the rate is kept.
type promises struct{ rows []promise }

type promise struct {
	*experiment
	rate float64 // the wanted one
}

func newPromises(s scope, plan plan) *promises {
	p := new(promises)
	for _, n := range s.promise.keys {
		for _, rate := range s.promise.values {
			for _, k := range kinds {
				bits := k.promise(n, rate)
				if math.IsInf(bits, 1) {
					continue
				}
				p.rows = append(p.rows, promise{plan.measure(k, n, bits, 2*s.falsePositives, 2*s.mostQueries), rate})
			}
		}
	}
	return p
}

func (p *promises) write(w io.Writer) {
	fmt.Fprintf(w, `"of the promise" is the measured rate over the wanted one. It is often well below, because sizes are whole numbers of
blocks or batches; above 100 %% it is by no more than %s and three standard deviations of the measurement.

`, percent(promiseTolerance, "%.0f"))
	t := markdown.New("keys", "rate", "filter", "BitsPerKeyFor", "stored", "measured", "of the promise")
	for _, r := range p.rows {
		t.Add(markdown.Thousands(r.n), fmt.Sprint(r.rate), r.name, fmt.Sprintf("%.3f", r.bitsPerKey), fmt.Sprintf("%.2f", r.storedBits()),
			r.rateCell(), percent(r.measured()/r.rate, "%.1f"))
	}
	t.Write(w)
	fmt.Fprintln(w)
}

// check returns an error for every promise that is not kept.
func (p *promises) check() error {
	var failures []error
	for _, r := range p.rows {
		if r.measured() > r.rate && !r.explained(r.rate, r.scatter, promiseTolerance) {
			failures = append(failures, fmt.Errorf("%s, %d keys: %v bits/key were promised to give %v, measured %s",
				r.name, r.n, r.bitsPerKey, r.rate, r.rateCell()))
		}
	}
	return errors.Join(failures...)
}
