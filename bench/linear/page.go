package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/plotter"

	"github.com/simdbloom/simdbloom/bench/internal/chart"
	"github.com/simdbloom/simdbloom/internal/test/markdown"
)

// page is where the results are shown.
const page = "docs/linear.md"

// files returns the page and the plots, by their paths in the clone.
func (r *results) files(clone string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	for name, draw := range map[string]func() ([]byte, error){
		"linear-memory.svg": linearMemory,
		"linear-building.svg": func() ([]byte, error) {
			return r.overKeys("Building", []float64{10, 20, 50, 100, 200, 500}, func(k *ofKeys) times { return k.Build })
		},
		"linear-lookups.svg": func() ([]byte, error) {
			return r.overKeys("One key a call, half of them present", []float64{5, 10, 20, 50, 100, 200}, func(k *ofKeys) times { return k.One })
		},
	} {
		svg, err := draw()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files["docs/plots/"+name] = svg
	}
	text, err := markdown.Blocks(filepath.Join(clone, filepath.FromSlash(page)), "linear", func(name string) string {
		switch name {
		case "run":
			return r.describe()
		case "lookups":
			return r.lookupsTable()
		case "building":
			return r.buildingTable()
		default:
			return ""
		}
	})
	files[page] = text
	return files, err
}

// describe returns the machine and the date of the measurements.
func (r *results) describe() string {
	for _, p := range parts() {
		if of := r.Parts[p.name]; of != nil {
			return fmt.Sprintf("Times are the least of up to %d rounds: %s (`go -C bench run ./linear`).\n", of.Rounds, of.Machine.On(of.Date))
		}
	}
	return ""
}

// lookupsTable has the times of lookups, of absent hashes and where half are present. Binary fuse, which has calls of
// one key only, has a column beside Linear's.
func (r *results) lookupsTable() string {
	headings, ways := []string{"filter", "binary fuse", "one key", "on bytes"}, []string{oneByOne, inBytes}
	for _, n := range calls {
		if n > 2 { // such calls take no less than one key after the other
			ways, headings = append(ways, fmt.Sprint(n)), append(headings, markdown.Thousands(n)+" a call")
		}
	}
	t := markdown.New(headings...)
	for _, size := range sizes {
		p := r.Parts[size.name]
		if p == nil {
			continue
		}
		cell := func(l *lookups, way string) string { return l.Ways[way].String() + " / " + l.Half[way].String() }
		for i := 0; i < len(p.Lookups); i += 2 {
			linear, fuse := p.Lookups[i], p.Lookups[i+1]
			_, bitsPerKey, _ := strings.Cut(linear.Filter, ", ")
			cells := []string{size.name + ", " + bitsPerKey, cell(fuse, oneByOne)}
			for _, way := range ways {
				cells = append(cells, cell(linear, way))
			}
			t.Add(cells...)
		}
	}
	return t.String()
}

// buildingTable has the times of planning and building.
func (r *results) buildingTable() string {
	t := markdown.New("keys", "planning, µs", "Linear", "binary fuse")
	cells, missing := make(map[int]*[3][]string), ""
	r.each(func(k *ofKeys) {
		if math.Abs(math.Log10(float64(k.Keys))-math.Round(math.Log10(float64(k.Keys)))) > 1e-9 {
			return
		}
		if cells[k.Keys] == nil {
			cells[k.Keys] = new([3][]string)
		}
		row := cells[k.Keys]
		if len(k.Plan) > 0 {
			row[0] = append(row[0], fmt.Sprintf("%.1f", k.Plan.least()/1000))
			row[1] = append(row[1], k.Build.String())
		} else {
			row[2] = append(row[2], k.Build.String())
		}
		if len(k.Build) == 0 {
			missing = "\n–: not enough memory; the lookups of such filters are in random fingerprints.\n"
		}
	})
	for power := leastPower; power <= mostPower; power++ {
		keys := int(math.Pow10(power))
		if row := cells[keys]; row != nil {
			t.Add(markdown.Thousands(keys), strings.Join(row[0], " / "), strings.Join(row[1], " / "), strings.Join(row[2], " / "))
		}
	}
	return t.String() + missing
}

// each visits the results with every number of keys.
func (r *results) each(visit func(k *ofKeys)) {
	for _, p := range parts() {
		if of := r.Parts[p.name]; of != nil {
			for _, k := range of.Keys {
				visit(k)
			}
		}
	}
}

// overKeys draws times over the number of keys in the filter.
func (r *results) overKeys(title string, labels []float64, of func(k *ofKeys) times) ([]byte, error) {
	c := chart.New(title, "keys in the filter", "ns a key")
	var names []string
	lines := make(map[string]plotter.XYs)
	r.each(func(k *ofKeys) {
		if lines[k.Filter] == nil {
			names = append(names, k.Filter)
		}
		if ns := of(k); len(ns) > 0 {
			lines[k.Filter] = append(lines[k.Filter], plotter.XY{X: float64(k.Keys), Y: ns.least()})
		}
	})
	for _, name := range names {
		c.Series(chart.Series{Name: strings.Replace(name, "fuse ", "fuse, ", 1), Line: lines[name]})
	}
	c.LogX(markdown.Thousands[float64], 100, 10_000, 1_000_000, 100_000_000)
	c.LogY(chart.Plain, labels...)
	return c.SVG()
}
