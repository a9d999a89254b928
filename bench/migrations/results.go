package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// The run's file, and the page with its table, in a clone.
const (
	runFile = "bench/migrations.json"
	page    = "docs/migrating.md"
)

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

func load(clone string) (*run, error) {
	text, err := os.ReadFile(filepath.Join(clone, runFile))
	if err != nil {
		return nil, err
	}
	r := new(run)
	return r, json.Unmarshal(text, r)
}

func (r *run) save(file string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// pageOf returns the page of a clone with the run's table.
func (r *run) pageOf(clone string) ([]byte, error) {
	return markdown.Blocks(filepath.Join(clone, page), "migrations", func(name string) string {
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
}

func text(of []float64, unit string) string {
	of = slices.Sorted(slices.Values(of))
	median := of[len(of)/2]
	if median >= 1000 {
		return markdown.Thousands(10*math.Round(median/10)) + " " + unit
	}
	return fmt.Sprintf("%.3g %s", median, unit)
}
