// Package parquetfilters is "simdbloom parquet". It shows the Bloom filters of Parquet files, and looks up values in them:
//
//	simdbloom parquet [-rate 0.01] FILE...
//	simdbloom parquet -column NAME -value V [-value V ...] FILE...
//
// The first prints each column's filters: their bytes, the part of the bits that is set, the number of different values and
// the false-positive rate that follow from it, and the bytes that filters of these values need for -rate. The second
// prints the row groups that may have each value.
package parquetfilters

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/inspect"
)

type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// Command has the flags.
type Command struct {
	column string
	values list
	rate   float64
}

// AddTo defines the flags.
func (c *Command) AddTo(flags *flag.FlagSet) {
	flags.StringVar(&c.column, "column", "", "the `name` of the column that has the values, with dots between the names of nested ones")
	flags.Float64Var(&c.rate, "rate", 0.01, "the false-positive `rate` to give sizes for")
	flags.Var(&c.values, "value", "a `value` to look up (repeatable)")
}

// Check returns an error for arguments that are wrong.
func (c *Command) Check(names []string) error {
	switch {
	case len(names) == 0:
		return errors.New("no file was given: name at least one")
	case (c.column == "") != (len(c.values) == 0):
		return errors.New("-column and -value need each other")
	case !(c.rate > 0 && c.rate < 1):
		return fmt.Errorf("-rate must be between 0 and 1, not %v", c.rate)
	}
	return nil
}

// Run prints what files have. It returns the number of those of which it could not, which it reports.
func (c *Command) Run(names []string, stdout, stderr io.Writer) (failed int) {
	for _, name := range names {
		fmt.Fprintln(stdout, name)
		if err := c.show(name, stdout); err != nil {
			fmt.Fprintf(stderr, "simdbloom parquet: %s: %v\n", name, err)
			failed++
		}
	}
	return failed
}

func (c *Command) show(name string, stdout io.Writer) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	f, err := parquet.Open(file, info.Size())
	if err != nil {
		return err
	}
	if c.column == "" {
		return inspect.Write(stdout, f, c.rate)
	}
	return inspect.WriteRowGroups(stdout, f, c.column, c.values)
}
