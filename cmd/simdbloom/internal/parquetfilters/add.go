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
func (c *Command) add(name string, stdout io.Writer) error {
	r, err := failures.OpenRegular(name)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	f, err := parquetgo.OpenFile(r, info.Size(), parquetgo.SkipBloomFilters(true), parquetgo.SkipPageIndex(true))
	if err != nil {
		return err
	}
	filters, err := adapter.Build(f, c.rate, c.columns...)
	if err != nil {
		return err
	}
	var options []parquet.WriteOption
	if c.anyType {
		options = append(options, parquet.WithAnyType())
	}
	if err := c.replaceable(); err != nil {
		return err
	}
	if err := r.Close(); err != nil {
		return err
	}
	if err := parquet.AddFilters(c.to, name, filters, options...); err != nil {
		return err
	}
	for _, column := range c.columns {
		bytes := 0
		for _, filter := range filters[column] {
			bytes += filter.SizeBytes()
		}
		if _, err := fmt.Fprintf(stdout, "%s: %d bytes of filters in %d row groups\n", column, bytes, len(filters[column])); err != nil {
			return err
		}
	}
	return nil
}

// replaceable returns an error if there is a file to write that is no Parquet file.
func (c *Command) replaceable() error {
	r, err := failures.OpenRegular(c.to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	if _, err := parquet.Open(r, info.Size()); err != nil {
		return fmt.Errorf("%s is there and no Parquet file, so it is not replaced: %w", c.to, err)
	}
	return nil
}
