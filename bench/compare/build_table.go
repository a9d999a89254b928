package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom/bench/internal/pages"
)

// buildTable has the times of building with one combination of settings.
type buildTable struct {
	Add    int         `json:"hashes_per_call"`
	Memory memory      `json:"memory"`
	Builds int         `json:"builds"` // of each row in a round
	Rounds int         `json:"rounds"`
	Rows   []*builtRow `json:"rows"`
}

// builtRow is a row of a table of building.
type builtRow struct {
	times
	Level        string `json:"level,omitempty"` // of simdbloom's kernels
	Concurrency  int    `json:"concurrency"`
	Verification bool   `json:"verification"`
	Again        bool   `json:"again"`
	PeakBytes    int    `json:"peak_bytes,omitempty"` // of all builds, beyond what there was before

	hugeShare float64
}

// builtRows returns the rows that build, with their entrants.
func (f *field) builtRows() (rows []*builtRow) {
	for _, e := range f.entrants {
		for _, r := range e.running {
			t := &builtRow{
				times:       times{Name: r.name, row: r, entrant: e},
				Concurrency: r.build.concurrency, Verification: r.build.verification, Again: r.build.again,
				hugeShare: 1,
			}
			if r.own {
				t.Level = r.level.String()
			}
			rows = append(rows, t)
		}
	}
	return rows
}

// describeBuilding says what the table is of.
func (f *field) describeBuilding(s *settings, t *buildTable) *filters {
	kind := pages.Ordinary
	if inHugePages(s.pages, f.filling) {
		kind = pages.Huge
	} else if s.pages == pages.Huge {
		f.notes = append(f.notes, reference+" has ordinary pages: a huge one is larger than the filter")
	}
	d := f.in(kind)
	d.HugeShare, d.Building = t.reference().hugeShare, t
	return d
}

// reference is the row that all are compared with.
func (t *buildTable) reference() *builtRow {
	return t.Rows[slices.IndexFunc(t.Rows, func(r *builtRow) bool { return r.isReference() })]
}

func (t *buildTable) summarize() {
	for _, r := range t.Rows {
		r.summarize(t.reference().NS)
	}
}

func (t *buildTable) print(out io.Writer) {
	each := "one filter"
	if t.Builds > 1 {
		each = fmt.Sprintf("%d filters", t.Builds)
	}
	fmt.Fprintf(out, "\nBuilding in %s, up to %d hashes a call, %d rounds of %s:\n", t.Memory.describe(), t.Add, t.Rounds, each)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "row\tbytes\tbits/key\tk\tns/key\tmin\tmax\tx "+reference+"\tpeak MiB\t\n")
	for _, r := range t.Rows {
		peak := ""
		if r.PeakBytes > 0 {
			peak = fmt.Sprintf("%.1f", float64(r.PeakBytes)/(1<<20))
		}
		fmt.Fprintf(w, "%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%s\t\n",
			r.Name, r.size(), r.MedianNS, r.MinNS, r.MaxNS, r.ToReference, peak)
	}
	w.Flush()
}
