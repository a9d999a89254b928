// Package parquetfilters is "simdbloom parquet". It shows the Bloom filters of Parquet files, and looks up values in
// them:
//
//	simdbloom parquet [-rate 0.01] FILE...
//	simdbloom parquet -column NAME -value V [-value V ...] FILE...
//	simdbloom parquet add [-rate 0.01] -column NAME [-column NAME ...] -o FILE FILE
//	simdbloom parquet add [-rate 0.01] -column NAME [-column NAME ...] -in-place FILE...
//	simdbloom parquet verify [-column NAME ...] FILE...
//
// The first prints each column's filters: their bytes, the part of the bits that is set, the number of different values
// and the false-positive rate that follow from it, and the bytes that filters of these values need for -rate. The
// second prints the row groups that may have each value. The third writes a file again with filters, the fourth many,
// and the last looks up every value of a file in its filters.
package parquetfilters

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/failures"
	"github.com/simdbloom/simdbloom/cmd/simdbloom/internal/inspect"
)

// About is the command's help.
const About = `It prints each column's filters, with the bytes that they would need for -rate, or, with -column and -value,
the row groups that may have the values. Values are written as the column's logical type is: the table has these.

  simdbloom parquet file.parquet
  simdbloom parquet -column=price -value=2.50 file.parquet
  simdbloom parquet add -column=user_id -column=name -o with.parquet file.parquet

"add" writes a file again with filters of -rate. The data stays as it is. "add -in-place" does so with many files: each is
replaced whole, or stays. A column that some of the files lack is said, and is an error if all do.

"verify" looks up every value in the filter of its row group, and prints filters that lack some, or could not be verified.
Filters of writers that are known to lose values are not used without -any-writer: verify finds out.`

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
	anyOne  bool
	inPlace bool

	known   map[string]bool // columns of -column, and whether a file has them
	lacking int             // filters that lack values
}

// AddTo defines the flags.
func (c *Command) AddTo(flags *flag.FlagSet) {
	flags.Var(&c.columns, "column", "the `name` of the column that has the values, or of one to add filters of (repeatable), with dots between the names of nested ones")
	flags.Float64Var(&c.rate, "rate", 0.01, "the false-positive `rate` of added filters, or to give sizes for")
	flags.Var(&c.values, "value", "a `value` to look up (repeatable), such as 17, 2.50, 2006-01-02 or \"2006-01-02 15:04:05\"")
	flags.BoolVar(&c.asJSON, "json", false, "print a JSON object for each file")
	flags.StringVar(&c.to, "o", "", "with add, the `file` to write, which may be the one that is read")
	flags.BoolVar(&c.inPlace, "in-place", false, "with add, replace the files that are read, any number of them")
	flags.BoolVar(&c.anyOne, "any-writer", false, "use also filters that are known to lack values, because of who wrote them")
	flags.BoolVar(&c.anyType, "any-type", false, "with add, also columns for which DuckDB 1.5.6 gives wrong results: BLOB, FLOAT16, FLOAT and DOUBLE")
}

// Adds reports whether the arguments call add. A file of that name is ./add.
func Adds(names []string) bool { return len(names) > 0 && names[0] == "add" }

// Verifies reports whether they call verify.
func Verifies(names []string) bool { return len(names) > 0 && names[0] == "verify" }

// Lacking returns the number of filters that verify found to lack values.
func (c *Command) Lacking() int { return c.lacking }

// Check returns an error for arguments that are wrong.
func (c *Command) Check(names []string) error {
	switch add, verify := Adds(names), Verifies(names); {
	case len(names) == 0:
		return errors.New("no file was given: name at least one")
	case (add || verify) && len(names) == 1:
		return errors.New("no file was given: name at least one behind " + names[0])
	case add && !c.inPlace && len(names) != 2:
		return fmt.Errorf("add takes one file, not %d, without -in-place", len(names)-1)
	case add && c.inPlace && c.to != "":
		return errors.New("-o and -in-place exclude each other")
	case add && len(c.columns) == 0:
		return errors.New("missing -column: the column to add filters of")
	case add && c.to == "" && !c.inPlace:
		return errors.New("missing -o: the file to write, or -in-place")
	case add && (len(c.values) > 0 || c.asJSON):
		return errors.New("add takes neither -value nor -json")
	case !add && (c.to != "" || c.anyType || c.inPlace):
		return errors.New("only \"simdbloom parquet add FILE\" takes -o, -in-place and -any-type")
	case (add || verify) && c.anyOne:
		return fmt.Errorf("%s takes no -any-writer", names[0])
	case verify && (len(c.values) > 0 || c.asJSON):
		return errors.New("verify takes neither -value nor -json")
	case verify:
	case !add && len(c.columns) > 1:
		return errors.New("values are looked up in one column: give one -column")
	case !add && (len(c.columns) == 0) != (len(c.values) == 0):
		return errors.New("-column and -value need each other")
	case !(c.rate > 0 && c.rate < 1):
		return fmt.Errorf("-rate must be between 0 and 1, not %v", c.rate)
	}
	return nil
}

// Run prints the filters of files. It reports files that it could not read, and returns their number.
func (c *Command) Run(names []string, stdout, stderr io.Writer) (failed int) {
	do := c.show
	switch {
	case Adds(names):
		do, names = c.add, names[1:]
	case Verifies(names):
		do, names = c.verify, names[1:]
	}
	c.known = make(map[string]bool)
	for _, name := range names {
		if err := do(name, stdout, stderr); err != nil {
			var path *fs.PathError
			if errors.As(err, &path) && path.Path == name {
				err = path.Err
			}
			fmt.Fprintf(stderr, "simdbloom parquet: %s: %v\n", name, err)
			failed++
		}
	}
	for _, column := range c.columns {
		if found, sought := c.known[column]; sought && !found {
			failed++
			if len(names) > 1 {
				fmt.Fprintf(stderr, "simdbloom parquet: no file has a column named %q\n", column)
			}
		}
	}
	return failed
}

// has reports whether a file has a column, and says so if it has not.
func (c *Command) has(name string, f *parquet.File, column string, stderr io.Writer) bool {
	ok := slices.ContainsFunc(f.Columns(), func(of parquet.Column) bool { return of.Name() == column })
	c.known[column] = c.known[column] || ok
	if !ok {
		_, err := f.Column(column)
		fmt.Fprintf(stderr, "simdbloom parquet: %s: %s\n", name, strings.TrimPrefix(err.Error(), "parquet: "))
	}
	return ok
}

func (c *Command) show(name string, stdout, stderr io.Writer) error {
	file, size, err := failures.OpenSized(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var options []parquet.Option
	if c.anyOne {
		options = append(options, parquet.WithAnyWriter())
	}
	f, err := parquet.Open(file, size, options...)
	if err != nil {
		return err
	}
	if len(c.columns) == 1 && !c.has(name, f, c.columns[0], stderr) {
		return nil // as if all its values were NULL
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
