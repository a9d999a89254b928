package parquetfilters

import (
	"fmt"
	"io"

	parquetgo "github.com/parquet-go/parquet-go"

	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/figures"
)

// verify looks up all values of a file in its filters. A filter that could not be verified is an error.
func (c *Command) verify(name string, stdout, stderr io.Writer) error {
	r, size, err := failures.OpenSized(name)
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := parquetgo.OpenFile(r, size, parquetgo.SkipBloomFilters(true), parquetgo.SkipPageIndex(true))
	if err != nil {
		return err
	}
	opened, err := adapter.Open(f)
	if err != nil {
		return err
	}
	var columns []string
	for _, column := range c.columns {
		if c.has(name, opened, column, stderr) {
			columns = append(columns, column)
		}
	}
	if len(columns) < len(c.columns) && len(columns) == 0 {
		return nil
	}
	all, err := adapter.Verify(f, columns...)
	if err != nil {
		return err
	}
	values, right, unknown := 0, 0, 0
	for _, v := range all {
		switch {
		case v.Err != nil:
			unknown++
			_, err = fmt.Fprintf(stdout, "%s: %s, row group %d: not verified: %v\n", name, v.Column, v.RowGroup, v.Err)
		case v.Missing > 0:
			c.lacking++
			_, err = fmt.Fprintf(stdout, "%s: %s, row group %d: the filter lacks %s of %s\n", name, v.Column, v.RowGroup, figures.Thousands(int64(v.Missing)), figures.Count(int64(v.Values), "value"))
		default:
			right++
			values += v.Values
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(all) == 0:
		_, err = fmt.Fprintf(stdout, "%s: no filters\n", name)
	case right == len(all):
		_, err = fmt.Fprintf(stdout, "%s: OK, %s in %s\n", name, figures.Count(int64(values), "value"), figures.Count(int64(right), "filter"))
	case unknown > 0:
		return fmt.Errorf("%s of %d not verified", figures.Count(int64(unknown), "filter"), len(all))
	}
	return err
}
