package main

import (
	"fmt"
	"io"
	"math"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
)

// grid is every filter at every number of keys and bits per key.
type grid struct {
	axes
	cells []*experiment // in the order of keys, bits per key, kinds
}

func newGrid(s scope, p plan) *grid {
	g := &grid{axes: s.grid}
	for _, n := range g.keys {
		for _, b := range g.values {
			for _, k := range kinds {
				g.cells = append(g.cells, p.measure(k, n, b, s.falsePositives, s.mostQueries))
			}
		}
	}
	return g
}

func (g *grid) write(w io.Writer) {
	fmt.Fprint(w, "\"standard\" is the formula of a Bloom filter without blocks, (1-e^(-kn/m))^k with the best whole k,\n"+
		"at the bits per key before sizes are rounded up.\n")
	cells := g.cells
	for _, n := range g.keys {
		fmt.Fprintf(w, "\n### %s keys\n\n", markdown.Thousands(n))
		heading := []string{"bits/key", "standard"}
		for _, k := range kinds {
			heading = append(heading, k.name+": stored", "measured", "predicted", "estimated")
		}
		t := markdown.New(heading...)
		for _, b := range g.values {
			row := []string{fmt.Sprint(b), fmt.Sprintf("%.3g", standardRate(b))}
			for _, e := range cells[:len(kinds)] {
				row = append(row, fmt.Sprintf("%.2f", e.storedBits()), e.rateCell(), e.offCell(e.predicted), e.offCell(e.estimated))
			}
			cells = cells[len(kinds):]
			t.Add(row...)
		}
		t.Write(w)
	}
}

// standardRate is the false-positive rate of a Bloom filter without blocks, with
// the best number of probes.
func standardRate(bitsPerKey float64) float64 {
	best := 1.0
	for k := 1.0; k <= 1+bitsPerKey; k++ {
		best = math.Min(best, math.Pow(-math.Expm1(-k/bitsPerKey), k))
	}
	return best
}
