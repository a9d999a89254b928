package main

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// ratePlot draws how many absent keys there are for one false positive, over the bits per key:
// lines as predicted, and points as measured.
func (r *results) ratePlot() ([]byte, error) {
	const fewest, most = 4, 26 // bits per key
	const highest = 1e6
	c := chart.New(markdown.Thousands(drawnKeys)+" keys: absent keys for one false positive", "bits per key, as stored", "")
	for _, f := range formats {
		s := chart.Series{Name: f.name}
		for _, p := range r.Predictions {
			stored := 8 * float64(p.Bytes) / float64(p.Keys)
			if p.Format == f.name && p.Keys == drawnKeys && stored >= fewest && stored <= most && p.OneIn <= highest {
				s.Line = append(s.Line, plotter.XY{X: stored, Y: p.OneIn})
			}
		}
		for _, one := range r.Rates {
			if at := one.stored(); one.Format == f.name && one.Keys == drawnKeys && at <= most && one.measured()*highest >= 1 {
				s.Points = append(s.Points, plotter.XY{X: at, Y: 1 / one.measured()})
			}
		}
		c.Series(s)
	}
	c.LogY(markdown.Thousands[float64], chart.Powers(10, highest)...)
	c.X.Tick.Marker = chart.Ticks(markdown.Thousands[float64], 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26)
	return c.SVG()
}

// plot draws the rate of Pebble's filter over the number of keys in its table.
func (p *pebbleRates) plot() ([]byte, error) {
	c := chart.New("Filters of 10 bits/key: false positives among absent keys", "keys in the table", "")
	pebble := chart.Series{Name: "Pebble"}
	ours := chart.Series{Name: "FastLocal"}
	for _, t := range p.Curve {
		pebble.Line = append(pebble.Line, plotter.XY{X: float64(t.Keys), Y: 100 * t.Predicted})
		ours.Line = append(ours.Line, plotter.XY{X: float64(t.Keys), Y: 100 * t.FastLocal})
	}
	for _, t := range p.Measured {
		pebble.Points = append(pebble.Points, plotter.XY{X: float64(t.Keys), Y: 100 * t.measured()})
	}
	c.Series(pebble)
	c.Series(ours)
	c.LogX(markdown.Thousands[float64], chart.Powers(10_000, 10_000_000)...)
	c.Y.Min, c.Y.Max = 0, math.Ceil(c.Y.Max)
	var shares []float64
	for at := 0.0; at <= c.Y.Max; at += 2 {
		shares = append(shares, at)
	}
	c.Y.Tick.Marker = chart.Ticks(func(at float64) string { return fmt.Sprint(at, " %") }, shares...)
	return c.SVG()
}
