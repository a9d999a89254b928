package main

import (
	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// figures draw a run, by their files in docs/plots.
var figures = map[string]func(*results.Run) ([]byte, error){
	"false-positive-rate.svg": falsePositiveRates,
	"lookup-one-key.svg":      oneKey,
	"lookup-batched.svg":      batched,
	"build.svg":               building,
}

func falsePositiveRates(run *results.Run) ([]byte, error) {
	const (
		mostBits = 40
		fewest   = 20 // false positives; a rate from fewer is left out
	)
	c := newChart("False-positive rate", "bits/key", "one false positive in")
	c.steps = true
	c.X.Tick.Marker = linearTicks(0, mostBits, 5)
	c.X.Min, c.X.Max = 5, mostBits
	c.Y.Tick.Marker = powersOfTen
	c.logarithmic(&c.Y)
	for _, p := range run.Peers {
		var points plotter.XYs
		for _, rate := range p.Rates {
			if rate.FalsePositives >= fewest && rate.BitsPerKey < mostBits+1 {
				points = append(points, plotter.XY{X: rate.BitsPerKey, Y: 1 / rate.FPR()})
			}
		}
		if err := c.add(p, points); err != nil {
			return nil, err
		}
	}
	return c.svg()
}

func oneKey(run *results.Run) ([]byte, error) {
	return times(run, newChart("One absent key a call", "size of the filter", "ns a lookup"),
		func(s *results.Size) results.Times { return s.OneAbsent })
}

func batched(run *results.Run) ([]byte, error) {
	return times(run, newChart("Many keys, half of them present", "size of the filter", "ns a lookup"),
		func(s *results.Size) results.Times { return s.Batch })
}

func building(run *results.Run) ([]byte, error) {
	return times(run, newChart("Building", "size of the filter", "ns a key"),
		func(s *results.Size) results.Times { return s.Build })
}

// times draws times over sizes, both logarithmic.
func times(run *results.Run, c *chart, of func(*results.Size) results.Times) ([]byte, error) {
	c.X.Tick.Marker = powersOfEight
	c.Y.Tick.Marker = oneTwoFive
	c.logarithmic(&c.X)
	c.logarithmic(&c.Y)
	for _, p := range run.Peers {
		var points plotter.XYs
		for _, size := range p.Sizes {
			points = append(points, plotter.XY{X: float64(size.Bytes), Y: of(size).Median()})
		}
		if err := c.add(p, points); err != nil {
			return nil, err
		}
	}
	return c.svg()
}
