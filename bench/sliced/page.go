package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// results is the content of bench/sliced.json.
type results struct {
	Machine machine.Description `json:"machine"`
	Date    string              `json:"date"`
	Rounds  int                 `json:"rounds"`
	Sizes   map[string]*size    `json:"sizes"`
}

// size has the times of filters of one size, in µs a key or a filter.
type size struct {
	Filters    int              `json:"filters"`
	Keys       int              `json:"keys"`
	Bytes      int              `json:"bytes"` // of a filter
	MoreMemory float64          `json:"more_memory"`
	Ways       map[string]times `json:"ways"`
}

// times are those of all rounds.
type times []float64

// MarshalJSON writes four decimals.
func (t times) MarshalJSON() ([]byte, error) {
	rounded := make([]float64, len(t))
	for i, us := range t {
		rounded[i] = math.Round(10_000*us) / 10_000
	}
	return json.Marshal(rounded)
}

// String is the least: other programs on the machine make rounds longer, and none shorter.
func (t times) String() string {
	if len(t) == 0 {
		return "–"
	}
	switch least := slices.Min(t); {
	case least < 0.1:
		return fmt.Sprintf("%.3f", least)
	case least < 1:
		return fmt.Sprintf("%.2f", least)
	case least < 10:
		return fmt.Sprintf("%.1f", least)
	default:
		return markdown.Thousands(math.Round(least))
	}
}

// page is where the table is.
const page = "docs/measured.md"

func (r *results) files(clone string) (map[string][]byte, error) {
	text, err := markdown.Blocks(filepath.Join(clone, filepath.FromSlash(page)), "sliced", func(name string) string {
		switch name {
		case "run":
			return fmt.Sprintf("The least of %d passes (%s, %s, %s, `go -C bench run ./sliced`):\n", r.Rounds, r.Machine.Processor(), r.Machine.Go, r.Date)
		case "lookups":
			return r.table()
		default:
			return ""
		}
	})
	if err != nil {
		return nil, err
	}
	drawn, err := r.plot()
	return map[string][]byte{page: text, "docs/plots/many-filters.svg": drawn}, err
}

// plot draws the times over the number of filters of 1,000 keys, at the machine's highest level.
func (r *results) plot() ([]byte, error) {
	c := chart.New("One key in many filters of 1,000 keys", "filters", "µs a key")
	for _, way := range []struct{ name, measured string }{
		{"loop", loop}, {"AppendFilters", appendFilters}, {"Candidates", rootCandidates}, {"sliced.AppendHits", r.Machine.Level},
	} {
		var points plotter.XYs
		for _, of := range sizes {
			if s := r.Sizes[name(of)]; of[1] == 1000 && s != nil && len(s.Ways[way.measured]) > 0 {
				points = append(points, plotter.XY{X: float64(of[0]), Y: slices.Min(s.Ways[way.measured])})
			}
		}
		c.Series(chart.Series{Name: way.name, Line: points, Points: points})
	}
	c.LogX(markdown.Thousands[float64], 100, 1000, 10_000, 100_000)
	c.LogY(chart.Plain, 0.01, 0.1, 1, 10, 100, 1000)
	return c.SVG()
}

// shown are the sizes on the page.
var shown = [][2]int{{64, 1000}, {1024, 1000}, {1024, 10_000}, {10_240, 1000}, {100_000, 100}, {100_000, 1000}}

// table has the sizes that are shown. Its columns of AppendHits are the machine's levels.
func (r *results) table() string {
	var at []string
	for _, level := range levels {
		if slices.ContainsFunc(sizes, func(of [2]int) bool { s := r.Sizes[name(of)]; return s != nil && len(s.Ways[level.String()]) > 0 }) {
			at = append(at, level.String())
		}
	}
	t := markdown.New("filters × keys", "loop of `ContainsHash`", "`AppendFilters`", "`AppendHits`: "+strings.Join(at, " / "),
		"→ root's `Candidates`", "→ `Candidates`", "→ `Hits`", "`AppendAll`, a filter")
	for _, of := range shown {
		s := r.Sizes[name(of)]
		if s == nil {
			continue
		}
		var hitsAt []string
		for _, level := range at {
			hitsAt = append(hitsAt, s.Ways[level].String())
		}
		t.Add(name(of), s.Ways[loop].String(), s.Ways[appendFilters].String(), strings.Join(hitsAt, " / "),
			s.Ways[rootCandidates].String(), s.Ways[ours].String(), s.Ways[hits].String(), s.Ways[appendAll].String())
	}
	return t.String()
}

func name(of [2]int) string {
	return markdown.Thousands(of[0]) + " × " + markdown.Thousands(of[1])
}
