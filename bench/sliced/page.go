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
	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// runs are the content of bench/sliced.json.
type runs = measured.Runs[*results]

// results are those of a run.
type results struct {
	Machine measured.Machine `json:"machine"`
	Date    string           `json:"date"`
	Rounds  int              `json:"rounds"`
	Sizes   map[string]*size `json:"sizes"`
}

// Processor is that of the run.
func (r *results) Processor() string { return r.Machine.Processor() }

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

func files(all *runs, clone string) (map[string][]byte, error) {
	text, err := markdown.Blocks(filepath.Join(clone, filepath.FromSlash(page)), "sliced", func(name string) string {
		switch name {
		case "run":
			var of []string
			for _, r := range *all {
				of = append(of, fmt.Sprintf("%d on %s", r.Rounds, r.Machine.On(r.Date)))
			}
			return "The least of several passes (`go -C bench run ./sliced`): " + strings.Join(of, "; ") + ".\n"
		case "lookups":
			return table(*all)
		default:
			return ""
		}
	})
	if err != nil {
		return nil, err
	}
	drawn, err := (*all)[0].plot()
	return map[string][]byte{page: text, "docs/plots/many-filters.svg": drawn}, err
}

// plot draws the times over the number of filters of 1,000 keys, at the machine's highest level.
func (r *results) plot() ([]byte, error) {
	c := chart.New("One key in many filters of 1,000 keys, "+r.Machine.CPU, "filters", "µs a key")
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
var shown = [][2]int{{1024, 1000}, {10_240, 1000}, {100_000, 1000}}

// table has the sizes that are shown, on each processor. Its columns of AppendHits are the processors' levels.
func table(all runs) string {
	var at []string
	for _, level := range levels {
		if slices.ContainsFunc(all, func(r *results) bool { return r.has(level.String()) }) {
			at = append(at, level.String())
		}
	}
	t := markdown.New("filters × keys", "processor", "`AppendFilters`", "`AppendHits`: "+strings.Join(at, " / "),
		"→ root's `Candidates`", "→ `Candidates`", "`AppendAll`, a filter")
	for _, of := range shown {
		for _, r := range all {
			s := r.Sizes[name(of)]
			if s == nil {
				continue
			}
			var hitsAt []string
			for _, level := range at {
				hitsAt = append(hitsAt, s.Ways[level].String())
			}
			t.Add(name(of), r.Machine.CPU, s.Ways[appendFilters].String(), strings.Join(hitsAt, " / "),
				s.Ways[rootCandidates].String(), s.Ways[ours].String(), s.Ways[appendAll].String())
		}
	}
	return t.String()
}

// has is whether a way was measured.
func (r *results) has(way string) bool {
	for _, s := range r.Sizes {
		if len(s.Ways[way]) > 0 {
			return true
		}
	}
	return false
}

func name(of [2]int) string {
	return markdown.Thousands(of[0]) + " × " + markdown.Thousands(of[1])
}
