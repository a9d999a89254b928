package main

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// plots are the files in docs/plots.
var plots = map[string]func(*runResults) ([]byte, error){
	"one-key.svg": func(r *runResults) ([]byte, error) {
		return r.overKeys("One absent key a call, at a rate of 1 in 100", func(s *sizeResult) times { return s.OneAbsent })
	},
	"many-keys.svg": func(r *runResults) ([]byte, error) {
		return r.overKeys("Many keys, half of them present, at a rate of 1 in 100", func(s *sizeResult) times { return s.Batch })
	},
	"building.svg": func(r *runResults) ([]byte, error) {
		return r.overKeys("Building, at a rate of 1 in 100", func(s *sizeResult) times { return s.Build })
	},
	"memory.svg": (*runResults).overMemory,
}

// drawn are the filters that have lines: more could not be told from each other.
var drawn = []string{"FastLocal", "Paired", "Linear", "Ribbon", "Pebble", "parquet-go", "binary fuse"}

// overKeys draws medians over the number of keys in the filter.
func (r *runResults) overKeys(title string, of func(*sizeResult) times) ([]byte, error) {
	c := chart.New(title, "keys in the filter", "ns a key")
	for _, name := range drawn {
		var medians plotter.XYs
		for _, size := range r.peer(name).Sizes {
			if size.OneIn == timedRates[0] && len(of(size)) > 0 {
				medians = append(medians, plotter.XY{X: float64(size.Keys), Y: of(size).median()})
			}
		}
		c.Series(chart.Series{Name: name, Line: medians, Points: medians})
	}
	c.LogX(markdown.Thousands[float64], 10_000, 100_000, 1_000_000, 10_000_000)
	c.LogY(chart.Plain, round...)
	return c.SVG()
}

// overMemory draws a point for each filter: its memory, and the time of a lookup, at one rate.
func (r *runResults) overMemory() ([]byte, error) {
	const oneIn = 1000
	c := chart.New(fmt.Sprintf("Many keys, half of them present, at a rate of 1 in %s", markdown.Thousands(oneIn)), "bits per key", "ns a key")
	for _, name := range append([]string{"blobloom", "goleveldb", "bits-and-blooms"}, drawn...) {
		if size := r.peer(name).at(middle, oneIn); size != nil {
			at := plotter.XYs{{X: size.BitsPerKey, Y: size.Batch.median()}}
			c.Series(chart.Series{Name: name, Line: at, Points: at})
		}
	}
	c.X.Min, c.X.Max = math.Floor(c.X.Min), math.Ceil(c.X.Max)
	c.X.Tick.Marker = chart.Ticks(chart.Plain, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24)
	c.LogY(chart.Plain, round...)
	return c.SVG()
}

// round are the labelled times, in nanoseconds.
var round = []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}
