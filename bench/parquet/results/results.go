// Package results has the results of program measure, and the tables of docs/parquet.md with them.
package results

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// File has a run, in a clone.
const File = "bench/parquet.json"

// Page has the tables, in a clone.
const Page = "docs/parquet.md"

// Run is a run of program measure.
type Run struct {
	Machine string   `json:"machine"`
	Date    string   `json:"date"`
	Rounds  int      `json:"rounds"`
	Prune   []Prune  `json:"prune"`
	Columns []Column `json:"columns"`
}

// Prune has the microseconds that it took to prune a file's row groups by values that it lacks, one for each round.
type Prune struct {
	Rate        float64   `json:"rate"`
	Values      int       `json:"values"`
	FilterBytes int       `json:"filter_bytes"` // of all row groups
	LoopMapped  []float64 `json:"loop_mapped"`
	OursMapped  []float64 `json:"ours_mapped"`
	LoopRead    []float64 `json:"loop_read"`
	OursRead    []float64 `json:"ours_read"`
	Kept        []float64 `json:"kept"`
	Reads       int       `json:"reads"` // of the first Prune, and their bytes
	ReadBytes   int       `json:"read_bytes"`
}

// Column has the nanoseconds that it took to hash and look up a value of a column, one for each round.
type Column struct {
	Values  string    `json:"values"` // their type
	Bytes   int       `json:"bytes"`  // of the filter
	Ours    []float64 `json:"ours"`
	Arrow   []float64 `json:"arrow_go"`
	Parquet []float64 `json:"parquet_go"`
}

// Load reads the run of a clone.
func Load(clone string) (*Run, error) {
	text, err := os.ReadFile(filepath.Join(clone, File))
	if err != nil {
		return nil, err
	}
	r := new(Run)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	return r, nil
}

// Save writes the run to a file.
func (r *Run) Save(file string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// PageOf returns the page of a clone with the tables of the run.
func (r *Run) PageOf(clone string) ([]byte, error) {
	return markdown.Blocks(filepath.Join(clone, Page), "parquet", func(name string) string {
		switch name {
		case "prune":
			return r.pruneTable()
		case "columns":
			return r.columnsTable()
		case "run":
			return fmt.Sprintf("%s, %s. Medians of %d rounds.\n", r.Machine, r.Date, r.Rounds)
		}
		return ""
	})
}

func (r *Run) pruneTable() string {
	t := markdown.New("values, rate", "loop, mapped", "`OpenBytes`, mapped", "loop, read", "`Open`, read", "`Prune`, kept")
	for _, p := range r.Prune {
		if p.Rate < 0.01 && p.Values < 10_000 {
			continue // like those of the higher rate, in filters four times as large
		}
		t.Add(fmt.Sprintf("%s, %v %%", markdown.Thousands(p.Values), 100*p.Rate), digits(p.LoopMapped), digits(p.OursMapped), digits(p.LoopRead), digits(p.OursRead), digits(p.Kept))
	}
	return t.String()
}

func (r *Run) columnsTable() string {
	t := markdown.New("values, filter")
	for _, c := range r.Columns {
		t.Put(c.Values, sizeText(c.Bytes), digits(c.Ours)+" / "+digits(c.Arrow)+" / "+digits(c.Parquet))
	}
	return t.String()
}

// digits is the median in two digits, or more before the decimal point.
func digits(times []float64) string {
	m := Median(times)
	if m < 9.95 {
		return fmt.Sprintf("%.1f", m)
	}
	unit := 1.0
	for m/unit >= 99.5 {
		unit *= 10
	}
	return markdown.Thousands(unit * float64(int(m/unit+0.5)))
}

func sizeText(bytes int) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}

// Median returns the middle of some numbers.
func Median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// Missing returns which tables the page lacks.
func Missing(page []byte) (names []string) {
	for _, name := range []string{"prune", "columns", "run"} {
		if !strings.Contains(string(page), "<!-- parquet: "+name+" -->") {
			names = append(names, name)
		}
	}
	return names
}
