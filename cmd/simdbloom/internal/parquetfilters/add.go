package parquetfilters

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
)

// add writes a file again with filters of columns.
func (c *Command) add(name string, stdout, stderr io.Writer) error {
	r, size, err := failures.OpenSized(name)
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := parquetgo.OpenFile(r, size, parquetgo.SkipBloomFilters(true), parquetgo.SkipPageIndex(true))
	if err != nil {
		return err
	}
	columns, err := c.present(name, f, stderr)
	if err != nil || len(columns) == 0 {
		return err
	}
	filters, err := adapter.Build(f, c.rate, columns...)
	if err != nil {
		return err
	}
	var options []parquet.WriteOption
	if c.anyType {
		options = append(options, parquet.WithAnyType())
	}
	to := c.to
	if c.inPlace {
		to = name
	} else if err := c.replaceable(); err != nil {
		return err
	}
	r.Close() // Windows replaces no open file
	if err := parquet.AddFilters(to, name, filters, options...); err != nil {
		return err
	}
	prefix := ""
	if c.inPlace {
		prefix = name + ": "
	}
	for _, column := range columns {
		bytes := 0
		for _, filter := range filters[column] {
			bytes += filter.SizeBytes()
		}
		if _, err := fmt.Fprintf(stdout, "%s%s: %d bytes of filters in %d row groups\n", prefix, column, bytes, len(filters[column])); err != nil {
			return fmt.Errorf("%s is written, but what it has cannot be printed: %w", to, err)
		}
	}
	return nil
}

// present returns the columns that a file has. In a table whose columns changed, old files lack some: those are said,
// and only a column that no file has is an error.
func (c *Command) present(name string, f *parquetgo.File, stderr io.Writer) ([]string, error) {
	if !c.inPlace {
		return c.columns, nil
	}
	opened, err := adapter.Open(f)
	if err != nil {
		return nil, err
	}
	var columns []string
	for _, column := range c.columns {
		if !c.has(name, opened, column, stderr) {
			continue
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// replaceable returns an error if there is a file to write that is no Parquet file.
func (c *Command) replaceable() error {
	r, size, err := failures.OpenSized(c.to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	if _, err := parquet.Open(r, size); err != nil {
		return fmt.Errorf("%s is there and no Parquet file, so it is not replaced: %w", c.to, err)
	}
	return nil
}
