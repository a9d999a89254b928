package main

import (
	"fmt"

	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// figures draw a run, by their files in docs/plots. Those of the formats show this project's only,
// with what was computed, and the spread of the rounds.
var figures = map[string]func(*results.Run) ([]byte, error){
	"false-positive-rate.svg":         falsePositiveRates,
	"lookup-one-key.svg":              times(oneKey, true),
	"lookup-batched.svg":              times(batched, true),
	"build.svg":                       times(building, true),
	"formats-false-positive-rate.svg": predictedRates,
	"formats-lookup-one-key.svg":      times(oneKey, false),
	"formats-lookup-batched.svg":      times(batched, false),
	"formats-build.svg":               times(building, false),
}

func falsePositiveRates(run *results.Run) ([]byte, error) {
	return rateFigure(run, newChart("False-positive rate", "bits/key", "one false positive in"), func(p *results.Peer) series {
		return points(measuredRates(p))
	})
}

func predictedRates(run *results.Run) ([]byte, error) {
	c := newChart("False-positive rate: lines computed, points measured", "bits/key", "one false positive in")
	c.ownOnly = true
	return rateFigure(run, c, func(p *results.Peer) series {
		s := series{marks: measuredRates(p)}
		for _, rate := range p.Rates {
			if rate.Predicted > 0 {
				s.line = append(s.line, plotter.XY{X: rate.BitsPerKey, Y: 1 / rate.Predicted})
			}
		}
		return s
	})
}

const mostBits = 40 // a key, in plots of rates

func rateFigure(run *results.Run, c *chart, of func(*results.Peer) series) ([]byte, error) {
	c.steps = true
	c.X.Tick.Marker = linearTicks(0, mostBits, 5)
	c.Y.Tick.Marker = powersOfTen
	c.logarithmic(&c.Y)
	for _, p := range run.Peers {
		if err := c.add(p, of(p)); err != nil {
			return nil, err
		}
	}
	c.X.Min, c.X.Max = min(5, c.X.Min), mostBits
	return c.svg()
}

// measuredRates are those of enough false positives.
func measuredRates(p *results.Peer) (at plotter.XYs) {
	const fewest = 20
	for _, rate := range p.Rates {
		if rate.FalsePositives >= fewest && rate.BitsPerKey < mostBits+1 {
			at = append(at, plotter.XY{X: rate.BitsPerKey, Y: 1 / rate.FPR()})
		}
	}
	return at
}

// timed is what a plot of times shows, of filters with the first of the rates.
type timed struct {
	title, y string
	times    func(*results.Size) results.Times
}

var (
	oneKey   = timed{"One absent key a call", "ns a lookup", func(s *results.Size) results.Times { return s.OneAbsent }}
	batched  = timed{"Many keys, half of them present", "ns a lookup", func(s *results.Size) results.Times { return s.Batch }}
	building = timed{"Building", "ns a key", func(s *results.Size) results.Times { return s.Build }}
)

// times draws the medians, with both axes logarithmic: of all peers, or with spread of the
// project's own.
func times(t timed, all bool) func(*results.Run) ([]byte, error) {
	return func(run *results.Run) ([]byte, error) {
		oneIn := results.TimedRates[0]
		c := newChart(fmt.Sprintf("%s, 1 in %d", t.title, oneIn), "keys in the filter", t.y)
		c.ownOnly = !all
		c.X.Tick.Marker = powersOfTen
		c.Y.Tick.Marker = oneTwoFive
		c.logarithmic(&c.X)
		c.logarithmic(&c.Y)
		for _, p := range run.Peers {
			var medians plotter.XYs
			var spread plotter.YErrors
			for _, size := range p.Sizes {
				if size.OneIn != oneIn {
					continue
				}
				times := t.times(size)
				median := times.Median()
				medians = append(medians, plotter.XY{X: float64(size.Keys), Y: median})
				spread = append(spread, struct{ Low, High float64 }{median - times.Least(), times.Most() - median})
			}
			s := points(medians)
			if !all {
				s.bars = spread
			}
			if err := c.add(p, s); err != nil {
				return nil, err
			}
		}
		return c.svg()
	}
}
