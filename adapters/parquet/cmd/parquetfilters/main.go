// Parquetfilters shows the Bloom filters of Parquet files, and looks up values in them:
//
//	parquetfilters [-rate 0.01] FILE...
//	parquetfilters -column NAME -value V [-value V ...] FILE...
//
// The first prints each column's filters: their bytes, the part of the bits that is set, the number of different values and
// the false-positive rate that follow from it, and the bytes that filters of these values need for -rate. The second
// prints the row groups that may have each value.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/simdbloom/simdbloom/adapters/parquet"
	"github.com/simdbloom/simdbloom/adapters/parquet/inspect"
)

type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func main() {
	var values list
	column := flag.String("column", "", "the `name` of the column that has the values, with dots between the names of nested ones")
	rate := flag.Float64("rate", 0.01, "the false-positive `rate` to give sizes for")
	flag.Var(&values, "value", "a `value` to look up; may be repeated")
	flag.Parse()
	if flag.NArg() == 0 || (*column == "") != (len(values) == 0) || !(*rate > 0 && *rate < 1) {
		flag.Usage()
		os.Exit(2)
	}
	status := 0
	for _, name := range flag.Args() {
		fmt.Println(name)
		if err := show(name, *column, values, *rate); err != nil {
			fmt.Fprintf(os.Stderr, "parquetfilters: %s: %v\n", name, err)
			status = 1
		}
	}
	os.Exit(status)
}

func show(name, column string, values []string, rate float64) error {
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
	if column == "" {
		return inspect.Write(os.Stdout, f, rate)
	}
	return inspect.WriteRowGroups(os.Stdout, f, column, values)
}
