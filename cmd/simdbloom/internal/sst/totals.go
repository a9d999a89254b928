package sst

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// totals are the sums over all files that could be read.
type totals struct {
	groups      map[[2]string]*total // by the filter's name and format
	files       int
	problematic int // files

	largest   uint64 // filter block of a table
	largestIn string
}

// total is that of the files with filters of one name and format.
type total struct {
	row   row // its names
	files int
	keys  uint64
	bits  float64 // of filters whose keys are known
	bytes uint64

	// Rates by bytes, and bytes of the filters that have a rate.
	weightedRates, weight float64
}

func (t *totals) add(r *report) {
	line := r.row()
	key := [2]string{line.filter, line.format}
	if t.groups[key] == nil {
		if t.groups == nil {
			t.groups = make(map[[2]string]*total)
		}
		t.groups[key] = &total{row: row{filter: line.filter, format: line.format}}
	}
	t.groups[key].add(r)
	t.files++
	if len(r.problems) > 0 {
		t.problematic++
	}
	if r.largest > t.largest {
		t.largest, t.largestIn = r.largest, line.file
	}
}

func (t *total) add(r *report) {
	t.files++
	t.keys += r.Keys
	t.bits += r.BitsPerKey * float64(r.Keys)
	t.bytes += r.Bytes
	if r.FPR != nil {
		weight := float64(max(r.Bytes, 1))
		t.weight += weight
		t.weightedRates += weight * *r.FPR
	}
}

// line is the total for people. Rates are averaged by size.
func (t *total) line() row {
	line := t.row
	line.file, line.bytes = strconv.Itoa(t.files), strconv.FormatUint(t.bytes, 10)
	if t.keys > 0 {
		line.keys = strconv.FormatUint(t.keys, 10)
	}
	if t.bits > 0 {
		line.bitsPerKey = fmt.Sprintf("%.2f", t.bits/float64(t.keys))
	}
	if t.weight > 0 {
		line.rate = fmt.Sprintf("%.3g", t.weightedRates/t.weight)
	}
	return line
}

// cachePage describes the necessary size of a cache.
const cachePage = "https://github.com/simdbloom/simdbloom/blob/HEAD/docs/pebble.md#filters-and-the-block-cache"

// end writes the totals, the filters with the most bytes first.
func (l *list) end(unreadable int) error {
	t := &l.totals
	if t.files == 0 {
		return nil
	}
	rows := []row{{"FILES", "KEYS", "FILTER", "FORMAT", "BITS/KEY", "BYTES", "MEAN FPR", ""}}
	all := total{row: row{filter: "total"}}
	for _, group := range slices.SortedFunc(maps.Values(t.groups), func(a, b *total) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.row.filter, b.row.filter), cmp.Compare(a.row.format, b.row.format))
	}) {
		rows = append(rows, group.line())
		all.files, all.keys, all.bytes = all.files+group.files, all.keys+group.keys, all.bytes+group.bytes
	}
	if len(t.groups) > 1 {
		rows = append(rows, all.line())
	}
	if _, err := fmt.Fprintln(l.out); err != nil {
		return err
	}
	for _, r := range rows {
		if err := l.write(r); err != nil {
			return err
		}
	}
	remarks := "\n"
	if t.largest > 0 {
		remarks += fmt.Sprintf("largest filter block: %d bytes, in %s\nblock cache that keeps it: %s\n", t.largest, t.largestIn, cachePage)
	}
	if t.problematic > 0 {
		remarks += fmt.Sprintf("files with problems: %d\n", t.problematic)
	}
	if unreadable > 0 {
		remarks += fmt.Sprintf("files that could not be read: %d\n", unreadable)
	}
	if remarks == "\n" {
		return nil
	}
	_, err := io.WriteString(l.out, remarks)
	return err
}
