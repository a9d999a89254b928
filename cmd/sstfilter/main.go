// Command sstfilter prints which filter table files have: those of RocksDB and
// Speedb (block-based tables) and of Pebble. It prints the format of the table and of
// the filter, the filter's size, probes and keys, and its false-positive rate, estimated
// from the bits that are set.
//
//	sstfilter /path/to/db/*.sst
//	sstfilter -json 000012.sst
//
// It reads a table's metadata and its filter, not its data. It takes any file: if one is
// damaged, or is not a table, it prints why, goes on with the next one, and ends with
// exit status 1.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

const usage = `USAGE: sstfilter [-json] FILE ...

Prints which filter each table file of RocksDB, Speedb or Pebble has.

  sstfilter /path/to/db/*.sst      the filters of all tables of a database
  sstfilter -json 000012.sst       machine-readable: one JSON object per line and file

The exit status is 0, 1 if a file could not be read (the others are still printed), and
2 for invalid arguments.

`

// run is the command. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("sstfilter", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // an error is reported once
	asJSON := flags.Bool("json", false, "print one JSON object per line and file")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stderr, usage)
		flags.SetOutput(stderr)
		flags.PrintDefaults()
		return 0
	case err == nil && flags.NArg() == 0:
		err = errors.New("no file was given: name at least one")
	}
	if err != nil {
		fmt.Fprintf(stderr, "sstfilter: %v (-help says more)\n", err)
		return 2
	}
	write := textTo(stdout)
	if *asJSON {
		write = func(r *report) error { return json.NewEncoder(stdout).Encode(r) }
	}
	status := 0
	for _, name := range flags.Args() {
		r, err := reportOf(name)
		if err != nil {
			status = 1
			fmt.Fprintf(stderr, "sstfilter: %s: %v\n", printable(name), err)
			r = &report{File: name, Error: err.Error()}
		}
		if err := write(r); err != nil {
			fmt.Fprintf(stderr, "sstfilter: %v\n", err)
			return 1
		}
	}
	return status
}
