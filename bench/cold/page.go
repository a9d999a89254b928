package main

import (
	"fmt"
	"math"
	"path/filepath"

	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// onDisk is the content of bench/cold.json.
type onDisk struct {
	Machine   measured.Machine `json:"machine"`
	Date      string           `json:"date"`
	Keys      int              `json:"keys"`
	PageBytes int              `json:"page_bytes"`
	Lookups   int              `json:"lookups"`
	Filters   []pages          `json:"filters"`
}

// pages has the pages that a lookup reads: of an absent key, and of a present one.
type pages struct {
	Name       string     `json:"name"`
	PieceBytes int        `json:"piece_bytes,omitempty"` // of the file, if it is ours
	BitsPerKey float64    `json:"bits_per_key"`
	Pages      [2]float64 `json:"pages"`
	Faults     [2]float64 `json:"major_faults"`
}

func (p pages) String() string {
	return fmt.Sprintf("%-16s pieces of %5d bytes, %5.2f bits/key, a lookup of an absent / present key: %.2f / %.2f pages, %.2f / %.2f major faults",
		p.Name, p.PieceBytes, p.BitsPerKey, p.Pages[0], p.Pages[1], p.Faults[0], p.Faults[1])
}

// page is where the table is.
const page = "docs/files.md"

// shown have pieces of a page, or none.
func (p pages) shown() bool { return p.PieceBytes <= 4<<10 }

func (r *onDisk) files(clone string) (map[string][]byte, error) {
	text, err := markdown.Blocks(filepath.Join(clone, filepath.FromSlash(page)), "cold", func(string) string {
		t := markdown.New("filter", "bits/key", "pages, absent key", "present key")
		for _, p := range r.Filters {
			if p.shown() {
				t.Add(p.Name, fmt.Sprintf("%.1f", p.BitsPerKey), fmt.Sprintf("%.2f", p.Pages[0]), fmt.Sprintf("%.2f", p.Pages[1]))
			}
		}
		return fmt.Sprintf("%s keys, 1 in 256, pages of %d bytes (%s, %s, `go -C bench run ./cold -disk`):\n\n%s\n![Pages read](plots/cold.svg)\n",
			markdown.Thousands(r.Keys), r.PageBytes, r.Machine.Processor(), r.Date, t)
	})
	if err != nil {
		return nil, err
	}
	c := chart.New("Pages that a lookup of a present key reads", "bits per key", "pages")
	for _, p := range r.Filters {
		if p.shown() {
			at := plotter.XYs{{X: p.BitsPerKey, Y: p.Pages[1]}}
			c.Series(chart.Series{Name: p.Name, Line: at, Points: at})
		}
	}
	c.X.Min, c.X.Max = math.Floor(c.X.Min)-1, math.Ceil(c.X.Max)
	c.X.Tick.Marker = chart.Ticks(chart.Plain, 8, 9, 10, 11, 12, 13)
	c.Y.Min, c.Y.Max = 0, math.Ceil(c.Y.Max)
	c.Y.Tick.Marker = chart.Ticks(chart.Plain, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	drawn, err := c.SVG()
	return map[string][]byte{page: text, "docs/plots/cold.svg": drawn}, err
}
