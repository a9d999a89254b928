package main

import (
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
)

// scatters is how far a single filter's own rate is from the mean of such filters.
type scatters struct {
	axes
	cells []*experiment // in the order of keys, kinds, bits per key
}

func newScatters(s scope, plan plan) *scatters {
	p := &scatters{axes: s.scatter}
	for _, n := range p.keys {
		for _, k := range kinds {
			for _, b := range p.values {
				p.cells = append(p.cells, plan.measure(k, n, b, s.falsePositives, s.mostQueries))
			}
		}
	}
	return p
}

func (p *scatters) write(w io.Writer) {
	fmt.Fprint(w, `All rates here are means of such filters. How far one filter's own rate is from that mean, as the standard deviation of
100 to 10,000 filters' EstimatedFPR:

`)
	heading := []string{"keys"}
	for _, k := range kinds {
		for _, b := range p.values {
			heading = append(heading, fmt.Sprintf("%s, %v bits/key", k.name, b))
		}
	}
	t := markdown.New(heading...)
	cells := p.cells
	for _, n := range p.keys {
		row := []string{markdown.Thousands(n)}
		for range len(kinds) * len(p.values) {
			e := cells[0]
			cells = cells[1:]
			row = append(row, percent(e.scatter*math.Sqrt(float64(e.filters))/e.estimated, "%.2g"))
		}
		t.Add(row...)
	}
	t.Write(w)
	fmt.Fprintln(w)
}
