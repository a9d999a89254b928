// Package results has the results of program measure, and the tables of docs/parquet.md with them.
package results

import (
	"fmt"
	"path/filepath"

	"github.com/simdbloom/simdbloom/internal/test/markdown"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// File has a run, in a clone's folder bench.
const File = "parquet.json"

const page = "docs/parquet.md"

// Run is a run of program measure.
type Run struct {
	Machine measured.Machine `json:"machine"`
	Date    string           `json:"date"`
	Rounds  int              `json:"rounds"`
	Prune   []Prune          `json:"prune"`
	Columns []Column         `json:"columns"`
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

// Files has the page with the tables of the run.
func (r *Run) Files(clone string) (map[string][]byte, error) {
	text, err := markdown.Blocks(filepath.Join(clone, page), "parquet", func(name string) string {
		switch name {
		case "prune":
			return r.pruneTable()
		case "columns":
			return r.columnsTable()
		case "run":
			return fmt.Sprintf("%s. Medians of %d rounds.\n", r.Machine.On(r.Date), r.Rounds)
		}
		return ""
	})
	return map[string][]byte{page: text}, err
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
		t.Put(c.Values, markdown.Size(c.Bytes), digits(c.Ours)+" / "+digits(c.Arrow)+" / "+digits(c.Parquet))
	}
	return t.String()
}

// digits is the median in two digits, or more before the decimal point.
func digits(times []float64) string {
	m := measured.Median(times)
	if m < 9.95 {
		return fmt.Sprintf("%.1f", m)
	}
	unit := 1.0
	for m/unit >= 99.5 {
		unit *= 10
	}
	return markdown.Thousands(unit * float64(int(m/unit+0.5)))
}
