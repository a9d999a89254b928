package main

import (
	"context"
	"fmt"
	"strings"

	parquetgo "github.com/parquet-go/parquet-go"

	adapter "github.com/simdbloom/simdbloom/adapters/parquet/parquetgo"

	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
)

// readParquet adds the values of a column of Parquet files.
func (c *buildCommand) readParquet(ctx context.Context, names []string, added func(hashes []uint64) error) error {
	for _, name := range names {
		if err := c.readParquetFile(ctx, name, added); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (c *buildCommand) readParquetFile(ctx context.Context, name string, added func(hashes []uint64) error) error {
	r, size, err := failures.OpenSized(name)
	if err != nil {
		return failures.WithoutName(err)
	}
	defer r.Close()
	f, err := parquetgo.OpenFile(r, size, parquetgo.SkipBloomFilters(true), parquetgo.SkipPageIndex(true))
	if err != nil {
		start := make([]byte, 4)
		if _, failed := r.ReadAt(start, 0); failed != nil || string(start) != "PAR1" && string(start) != "PARE" {
			return fmt.Errorf("not a Parquet file: without -parquet, keys are lines, and -csv=%s reads the column of a CSV file", c.parquet)
		}
		return err
	}
	bytes := size / int64(max(len(f.RowGroups()), 1))
	if leaf, ok := f.Schema().Lookup(strings.Split(c.parquet, ".")...); ok && leaf.Node.Type().Kind() != parquetgo.ByteArray {
		c.width = leaf.Node.Type().Length() / 8
	}
	none := true
	for hashes, err := range adapter.Hashes(f, c.parquet) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			c.input.read.Add(bytes)
			none = none && len(hashes) == 0
			err = added(hashes)
		}
		if err != nil {
			return err
		}
	}
	c.ended(name, "", none)
	return nil
}
