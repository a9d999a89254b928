// Package parquetfilters is "simdbloom parquet". It shows the Bloom filters of Parquet files, and looks up values in them:
//
//	simdbloom parquet [-rate 0.01] FILE...
//	simdbloom parquet -column NAME -value V [-value V ...] FILE...
//	simdbloom parquet add [-rate 0.01] -column NAME [-column NAME ...] -o FILE FILE
//
// The first prints each column's filters: their bytes, the part of the bits that is set, the number of different values and
// the false-positive rate that follow from it, and the bytes that filters of these values need for -rate. The second
// prints the row groups that may have each value. The third writes a file again with filters.
package parquetfilters

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/inspect"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
)

// About is the command's help.
const About = `It prints each column's filters, with the bytes that they would need for -rate, or, with -column and -value,
the row groups that may have the values. Values are written as the column's logical type is: the table has these.

  simdbloom parquet file.parquet
  simdbloom parquet -column=price -value=2.50 file.parquet
  simdbloom parquet add -column=user_id -column=name -o with.parquet file.parquet

"add" writes a file again with filters of -rate. The data stays as it is.`

type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// Command has the flags.
type Command struct {
	columns list
	values  list
	rate    float64
	asJSON  bool
	to      string
	anyType bool
}

// AddTo defines the flags.
func (c *Command) AddTo(flags *flag.FlagSet) {
	flags.Var(&c.columns, "column", "the `name` of the column that has the values, or of one to add filters of (repeatable), with dots between the names of nested ones")
	flags.Float64Var(&c.rate, "rate", 0.01, "the false-positive `rate` of added filters, or to give sizes for")
	flags.Var(&c.values, "value", "a `value` to look up (repeatable), such as 17, 2.50, 2006-01-02 or \"2006-01-02 15:04:05\"")
	flags.BoolVar(&c.asJSON, "json", false, "print a JSON object for each file")
	flags.StringVar(&c.to, "o", "", "with add, the `file` to write, which may be the one that is read")
	flags.BoolVar(&c.anyType, "any-type", false, "with add, also columns for which DuckDB 1.5.6 gives wrong results: BLOB, FLOAT16, FLOAT and DOUBLE")
}

// Adds reports whether the arguments call add. A file of that name is ./add.
func Adds(names []string) bool { return len(names) > 0 && names[0] == "add" }

// Check returns an error for arguments that are wrong.
func (c *Command) Check(names []string) error {
	switch add := Adds(names); {
	case len(names) == 0:
		return errors.New("no file was given: name at least one")
	case add && len(names) != 2:
		return fmt.Errorf("add takes one file, not %d", len(names)-1)
	case add && len(c.columns) == 0:
		return errors.New("missing -column: the column to add filters of")
	case add && c.to == "":
		return errors.New("missing -o: the file to write")
	case add && (len(c.values) > 0 || c.asJSON):
		return errors.New("add takes neither -value nor -json")
	case !add && (c.to != "" || c.anyType):
		return errors.New("only \"simdbloom parquet add FILE\" takes -o and -any-type")
	case !add && len(c.columns) > 1:
		return errors.New("values are looked up in one column: give one -column")
	case !add && (len(c.columns) == 0) != (len(c.values) == 0):
		return errors.New("-column and -value need each other")
	case !(c.rate > 0 && c.rate < 1):
		return fmt.Errorf("-rate must be between 0 and 1, not %v", c.rate)
	}
	return nil
}

// Run prints what files have. It reports files that it could not read, and returns their number.
func (c *Command) Run(names []string, stdout, stderr io.Writer) (failed int) {
	do := c.show
	if Adds(names) {
		do, names = c.add, names[1:]
	}
	for _, name := range names {
		if err := do(name, stdout); err != nil {
			var path *fs.PathError
			if errors.As(err, &path) && path.Path == name {
				err = path.Err
			}
			fmt.Fprintf(stderr, "simdbloom parquet: %s: %v\n", name, err)
			failed++
		}
	}
	return failed
}

func (c *Command) show(name string, stdout io.Writer) error {
	file, err := failures.OpenRegular(name)
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
	if c.asJSON {
		return c.writeJSON(stdout, name, f)
	}
	if _, err := fmt.Fprintln(stdout, name); err != nil {
		return err
	}
	if len(c.columns) == 0 {
		return inspect.Write(stdout, f, c.rate)
	}
	return inspect.WriteRowGroups(stdout, f, c.columns[0], c.values)
}
