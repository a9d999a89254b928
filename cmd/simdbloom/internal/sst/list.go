package sst

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// list prints a line for each file, as soon as it was read, and totals.
type list struct {
	out    io.Writer
	width  int // of the column of files
	totals totals
}

func newList(out io.Writer, names []string) *list {
	l := &list{out: out, width: len("FILES")}
	for _, name := range names {
		l.width = max(l.width, len(printable(name)))
	}
	return l
}

// row has a line's columns, from left to right: "-" if unknown, so that sort can count columns.
type row struct{ file, keys, filter, format, bitsPerKey, bytes, rate, problems string }

func (l *list) write(r row) error {
	for _, column := range []*string{&r.keys, &r.filter, &r.format, &r.bitsPerKey, &r.bytes, &r.rate} {
		*column = cmp.Or(*column, "-")
	}
	line := fmt.Sprintf("%-*s  %11s  %-27s  %-11s  %8s  %11s  %8s  %s",
		l.width, r.file, r.keys, r.filter, r.format, r.bitsPerKey, r.bytes, r.rate, r.problems)
	_, err := fmt.Fprintln(l.out, strings.TrimRight(line, " "))
	return err
}

// add writes the line of a file, unless it could not be read.
func (l *list) add(r *report) error {
	if r.Error != "" {
		return nil
	}
	if l.totals.files == 0 {
		if err := l.write(row{"FILE", "KEYS", "FILTER", "FORMAT", "BITS/KEY", "BYTES", "FPR", "PROBLEMS"}); err != nil {
			return err
		}
	}
	l.totals.add(r)
	return l.write(r.row())
}

func (r *report) row() row {
	line := row{
		file: printable(r.File), filter: printable(r.Name), format: r.format,
		bytes: strconv.FormatUint(r.Bytes, 10), problems: strings.Join(r.problems, "; "),
	}
	switch {
	case r.Kind == "none":
		line.filter = "none"
		return line
	case r.format == unknown && r.Bytes == 0: // which is not recorded
		line.bytes = ""
	}
	if r.Keys > 0 {
		line.keys = strconv.FormatUint(r.Keys, 10)
	}
	switch {
	case r.BitsPerKey > 0:
		line.bitsPerKey = fmt.Sprintf("%.2f", r.BitsPerKey)
	case r.Setting != nil && r.Setting.Most == mostSetting:
		line.bitsPerKey = fmt.Sprintf("%d+", r.Setting.Least)
	case r.Setting != nil:
		line.bitsPerKey = fmt.Sprintf("%d-%d", r.Setting.Least, r.Setting.Most)
	}
	if r.FPR != nil {
		line.rate = fmt.Sprintf("%.3g", *r.FPR)
	}
	return line
}
