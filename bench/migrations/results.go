package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

const page = "docs/migrating.md"

// runs are the content of bench/migrations.json.
type runs = measured.Runs[*run]

// run is a measurement of every migration.
type run struct {
	Machine measured.Machine `json:"machine"`
	Date    string           `json:"date"`
	Rounds  int              `json:"rounds"`
	Rows    []row            `json:"rows"`
}

// row has one code path, before and after: its times in nanoseconds, one for each round, or another number.
type row struct {
	Project string    `json:"project"`
	What    string    `json:"what"`
	Unit    string    `json:"unit"`
	Before  []float64 `json:"before"`
	After   []float64 `json:"after"`
}

// Processor is that of the run.
func (r *run) Processor() string { return r.Machine.Processor() }

// files has the page with the table of all runs, side by side.
func files(all *runs, clone string) (map[string][]byte, error) {
	text, err := markdown.Blocks(filepath.Join(clone, page), "migrations", func(name string) string {
		if name != "table" {
			return ""
		}
		t := markdown.New("", "code path")
		var of []string
		for _, r := range *all {
			(*t)[0] = append((*t)[0], "before, "+r.Machine.CPU, "after")
			of = append(of, fmt.Sprintf("%d rounds on %s", r.Rounds, r.Machine.On(r.Date)))
		}
		project := ""
		for _, w := range (*all)[0].Rows {
			cells := []string{w.Project, w.What + ", " + w.Unit}
			if w.Project == project {
				cells[0] = ""
			}
			project = w.Project
			for _, r := range *all {
				cells = append(cells, r.cells(w.Project, w.What)...)
			}
			t.Add(cells...)
		}
		return t.String() + "\nMedians of " + strings.Join(of, "; ") + ".\n"
	})
	return map[string][]byte{page: text}, err
}

// cells are those of a code path, before and after.
func (r *run) cells(project, what string) []string {
	for _, w := range r.Rows {
		if w.Project == project && w.What == what {
			return []string{text(w.Before), text(w.After)}
		}
	}
	return []string{"–", "–"}
}

func text(of []float64) string {
	median := measured.Median(of)
	if median >= 1000 {
		return markdown.Thousands(10 * math.Round(median/10))
	}
	return fmt.Sprintf("%.3g", median)
}
