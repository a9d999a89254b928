package main

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

const page = "docs/migrating.md"

// run is a measurement of every migration.
type run struct {
	Machine string `json:"machine"`
	Date    string `json:"date"`
	Rounds  int    `json:"rounds"`
	Rows    []row  `json:"rows"`
}

// row has one code path, before and after: its times in nanoseconds, one for each round, or another number.
type row struct {
	Project string    `json:"project"`
	What    string    `json:"what"`
	Unit    string    `json:"unit"`
	Before  []float64 `json:"before"`
	After   []float64 `json:"after"`
}

// files has the page with the run's table.
func (r *run) files(clone string) (map[string][]byte, error) {
	text, err := markdown.Blocks(filepath.Join(clone, page), "migrations", func(name string) string {
		if name != "table" {
			return ""
		}
		t := markdown.New("", "code path", "before", "after")
		project := ""
		for _, w := range r.Rows {
			shown := w.Project
			if shown == project {
				shown = ""
			}
			project = w.Project
			t.Add(shown, w.What, text(w.Before, w.Unit), text(w.After, w.Unit))
		}
		return t.String() + fmt.Sprintf("\n%s, %s. Medians of %d rounds.\n", r.Machine, r.Date, r.Rounds)
	})
	return map[string][]byte{page: text}, err
}

func text(of []float64, unit string) string {
	median := measured.Median(of)
	if median >= 1000 {
		return markdown.Thousands(10*math.Round(median/10)) + " " + unit
	}
	return fmt.Sprintf("%.3g %s", median, unit)
}
