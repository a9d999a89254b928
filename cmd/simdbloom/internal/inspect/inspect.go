// Package inspect describes the filters of a Parquet file to people, and looks up values that they type.
package inspect

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/adapters/parquet"
)

// Column describes a column's filters. Fill, Keys and FPR are means of the row groups that have one.
type Column struct {
	parquet.Column
	Filters   int     // row groups that have one that can be used
	SizeBytes int     // of all, without headers
	Fill      float64 // the part of the bits that is set
	Keys      float64 // different values, estimated from Fill
	FPR       float64 // the false-positive rate, estimated from the bits
	Better    int     // the bytes that all together need for the given rate

	// Unusable are the filters that cannot be used, and why.
	Unusable []*parquet.FilterError
}

// Columns describes the filters of all columns. fpr is the rate that Better is for.
func Columns(f *parquet.File, fpr float64) ([]Column, error) {
	columns := make([]Column, len(f.Columns()))
	for i, c := range f.Columns() {
		described := Column{Column: c}
		err := f.EachFilter(i, func(_ int, filter *simdbloom.Filter) error {
			fill, keys, err := contents(filter)
			if err != nil {
				return err
			}
			described.Filters++
			described.SizeBytes += filter.SizeBytes()
			described.Fill += fill
			described.Keys += keys
			described.FPR += filter.EstimatedFPR()
			described.Better += parquet.FilterBytes(int(min(keys, math.MaxInt32)), fpr)
			return nil
		})
		if err != nil {
			return nil, err
		}
		if n := float64(described.Filters); n > 0 {
			described.Fill /= n
			described.Keys /= n
			described.FPR /= n
		}
		columns[i] = described
	}
	for _, unusable := range f.Unusable() {
		c := &columns[unusable.Column]
		c.Unusable = append(c.Unusable, unusable)
	}
	return columns, nil
}

// contents returns the part of a filter's bits that is set, and the number of values that follows from it.
func contents(f *simdbloom.Filter) (fill, keys float64, err error) {
	m, err := simdbloom.OpenMutable(f.Format(), f.Bytes(), f.Hash())
	if err != nil {
		return 0, 0, err
	}
	set := 0
	for _, b := range f.Bytes() {
		set += bits.OnesCount8(b)
	}
	return float64(set) / float64(8*f.SizeBytes()), m.EstimatedKeys(), nil
}

// Write writes a table of a file's columns and their filters.
func Write(w io.Writer, f *parquet.File, fpr float64) error {
	columns, err := Columns(f, fpr)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "column\ttype\tfilters\tbytes\tbits set\tvalues\trate\tbytes for %.3g %%\n", 100*fpr)
	for _, c := range columns {
		fmt.Fprintf(table, "%s\t%s\t%d of %d", label(f, &c.Column), typeName(&c.Column), c.Filters, f.NumRowGroups())
		if c.Filters > 0 {
			fmt.Fprintf(table, "\t%d\t%.1f %%\t%.0f\t%.3g %%\t%d", c.SizeBytes, 100*c.Fill, c.Keys, 100*c.FPR, c.Better)
		} else { // a row without these cells would end their columns
			fmt.Fprint(table, strings.Repeat("\t-", 5))
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, c := range columns {
		for _, unusable := range c.Unusable {
			if _, err := fmt.Fprintf(w, "not used: %v\n", unusable); err != nil {
				return err
			}
		}
	}
	return nil
}

// label returns a column's name, with its parts in quotation marks if two columns have the name.
func label(f *parquet.File, c *parquet.Column) string {
	if _, err := f.Column(c.Name()); err == nil {
		return c.Name()
	}
	parts := make([]string, len(c.Path))
	for i, part := range c.Path {
		parts[i] = strconv.Quote(part)
	}
	return strings.Join(parts, ".")
}
