package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/bench/internal/markdown"
)

// selection is one kind of filter at selected settings.
type selection struct {
	remark string
	lines  bool // whether the filter has lines
	rows   []*experiment

	// The most that the functions may be off, beyond what chance explains.
	ofPredicted, ofEstimated float64
}

// point is a number of keys and their bits per key.
type point struct {
	keys       int
	bitsPerKey float64
}

// points returns some of the given bits per key.
func points(bitsPerKey float64, keys ...int) (points []point) {
	for _, n := range keys {
		points = append(points, point{n, bitsPerKey})
	}
	return points
}

// measure plans a row for each point.
func (l *selection) measure(s scope, p plan, k *kind, points []point) {
	for _, at := range points {
		l.rows = append(l.rows, p.measure(k, at.keys, at.bitsPerKey, 5*s.falsePositives, s.mostQueries))
	}
}

func (l *selection) write(w io.Writer) {
	fmt.Fprintf(w, `%s
PredictedFPR is within %s and three standard deviations of the measured rate, and EstimatedFPR within %s and those.

`, l.remark[1:], percent(l.ofPredicted, "%.0f"), percent(l.ofEstimated, "%.0f"))
	headings := []string{"bits/key", "keys"}
	if l.lines {
		headings = append(headings, "lines")
	}
	t := markdown.New(append(headings, countedHeadings...)...)
	for _, e := range l.rows {
		cells := []string{fmt.Sprint(e.bitsPerKey), markdown.Thousands(e.n)}
		if l.lines {
			cells = append(cells, markdown.Thousands(e.bytes/e.unitBytes))
		}
		t.Add(append(cells, e.countedCells()...)...)
	}
	t.Write(w)
	fmt.Fprintln(w)
}

// check returns an error for every rate that is off.
func (l *selection) check() error {
	var failures []error
	for _, e := range l.rows {
		failures = append(failures, e.checkRates(l.ofPredicted, l.ofEstimated))
	}
	return errors.Join(failures...)
}
