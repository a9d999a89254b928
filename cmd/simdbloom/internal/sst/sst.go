// Package sst is "simdbloom sst". It prints the filters of table files, and looks up keys in them. The files are
// tables of RocksDB and Speedb (block-based ones), Pebble, LevelDB and goleveldb, and files of package filterfile,
// which have nothing but a filter. For one file it prints the format of the table and of the filter, the filter's
// size, probes and keys, and its false-positive rate, estimated from the bits that are set. For several files it
// prints a line each, and totals at the end; -long prints everything about each.
//
//	simdbloom sst 000012.sst
//	simdbloom sst /path/to/db
//	simdbloom sst -long /path/to/db/*.sst
//	simdbloom sst -json /path/to/db/*.sst
//
// With -verify it reads all data, compares the checksums of all blocks, and looks up every key in its filter, and
// every prefix if the filter has prefixes. It prints the keys that a filter lacks, and the corrupt blocks:
//
//	simdbloom sst -verify /path/to/db/*.sst
//
// With keys, it prints whether each file's filter may contain each of them, as the database's
// own reader would find out:
//
//	simdbloom sst -key apple /path/to/db/*.sst
//	simdbloom sst -hex -key 6170706c65 000012.sst
//	simdbloom sst -keys keys.txt 000012.sst
//
// With prefixes, it prints whether each file's filter may contain keys that begin with each:
//
//	simdbloom sst -prefix user1 /path/to/db/*.sst
//
// It reads a table's metadata, its filter and, to find a key in filter blocks of LevelDB's kind, its index. It reads
// the data only with -verify. Of a partitioned filter it reads the partitions that the keys may be in.
// With -v it prints the blocks that it read: each one's kind, offset, and size without the block's
// trailer of five bytes. It reads and checks all of a filter file. It accepts any file: if one
// is corrupt, or is not a table, it prints why, goes on with the next one, and ends with exit
// status 3. A table is known by its last bytes, so one that was cut short cannot be told from other files.
//
// # Lines and totals
//
// A line has the file, the number of keys, the name that the filter is recorded under, its format, bits per
// key, size in bytes, estimated false-positive rate, and problems in words: "-" is unknown. The totals
// are by name and format, and count the tables without a filter. Their rate is the mean, weighted by the
// filters' sizes. The largest filter block is named because block caches do not keep blocks that are too
// large for them.
//
// # Keys
//
// A line of -keys is a key, without its end, which is a newline or, as on Windows, a carriage return and a
// newline. Empty lines are skipped. For the empty key give -key=, and -key or -hex for keys that have
// a newline, or end in a carriage return. Keys are user keys, as an application gives them to the database, but
// as the filter has them:
//
//   - Pebble's filters have keys without their version. With a comparer that has versions,
//     such as CockroachDB's, give what its Split returns: the key without its version. With
//     RocksDB's user-defined timestamps, give the key without its timestamp.
//   - If RocksDB's filter has prefixes only (whole_key_filtering is false), it looks up
//     the key's prefix, by the prefix extractors fixed, capped and noop. With another one the
//     answer is "may contain".
//   - In partitioned filters and LevelDB's tables, the index names the filter that may have the
//     key, in the order of the comparator that the table records. LevelDB's tables record none, and others
//     may record one that is unknown: it looks into all of their filters, unless -order gives
//     the order. -order=bytes is LevelDB's own order, which most stores have. With a wrong
//     one, keys that are there may get a "does not contain".
//
// Filters of unknown policies may contain every key. In a table with deletions of ranges, which filters do not
// have, one may delete a key that the table does not contain: do not skip such a table.
//
// # Prefixes
//
// RocksDB's filters have prefixes of keys if the database has a prefix_extractor. A filter can tell
// that no key begins with a prefix if all keys that do have the same entry in it: with the extractor
// fixed:4 or capped:4, for prefixes of four bytes or more. Otherwise the answer is "may contain", and
// it prints why. -extractor gives the extractor of tables that do not record it, or another name for it.
//
// # Exit status
//
// It is 0 if all went well, and each key and prefix may be in one of the files; 1 if a key or a prefix is in
// none of them, or -verify finds a key that is not in its filter; 2 if the arguments are invalid, and nothing was
// printed; and 3 if a file could not be read, -verify finds a corrupt block, or the output could not be written,
// whatever is in the other files.
package sst

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/table"
)

// About is a summary of the command.
const About = `It prints which filter each table file of RocksDB, Speedb, Pebble or LevelDB has, or each filter file of simdbloom, or, with
-key, -keys or -prefix, whether that filter may contain the keys, or keys that begin with the prefix.

  simdbloom sst 000012.sst             all about the filter of a table
  simdbloom sst /path/to/db            a line about each table of a database (*.sst, *.ldb), and totals
  simdbloom sst -long *.sst            all about each of several
  simdbloom sst -json 000012.sst       machine-readable: one JSON object per line and file
  simdbloom sst -key apple *.sst       which tables may contain the key
  simdbloom sst -keys - 000012.sst     keys from the standard input, one a line
  simdbloom sst -hex -key 00ff *.sst   a key in hexadecimal
  simdbloom sst -prefix user1 *.sst    which tables may contain keys that begin with the prefix
  simdbloom sst -verify *.sst          whether each key of the tables is in its filter, and checksums of all data
  simdbloom sst -v -key a 000012.sst   and which blocks of the file were read for that
  simdbloom sst -order=bytes -key a …  in tables that do not record the order of keys, as LevelDB's do not

Give Pebble's keys without their version. Lines of -keys end in a newline, with or without a carriage return before it;
empty lines are skipped. In lines, BYTES is the filter's size, and FPR is its estimated false-positive rate. In totals, the
mean is weighted by the filters' sizes. If the order of keys is neither recorded nor given, the key is looked up in all of a table's
filters. With a wrong -order or -extractor, keys that are there may get a "does not contain". Deletions of ranges are not in
filters: do not skip a table that has some.

The exit status is 1 if a key or a prefix is in none of the files, or -verify finds a key that its filter lacks, and 3 if a file could
not be read, or -verify finds a damaged block: the others still are. Tables with blocks of an unknown compression are NOT VERIFIED.`

// Exit statuses.
const (
	notFound = 1 // a key or a prefix, in all files, or with -verify in a filter
	failed   = 3 // to read a file, or to write
)

// Command has the flags.
type Command struct {
	// Quiet is -quiet: Progress is not wanted.
	Quiet bool
	// Progress is told how far -verify is, unless it is nil.
	Progress Progress

	asJSON, long bool
	verify       bool
	wanted       keyArguments
	queries      []table.Query
	tables       tableArguments
	options      []table.Option
}

// AddTo defines the flags.
func (c *Command) AddTo(flags *flag.FlagSet) {
	flags.BoolVar(&c.asJSON, "json", false, "print one JSON object per line and file")
	flags.BoolVar(&c.long, "long", false, "print about each of several files what is printed about one")
	flags.BoolVar(&c.verify, "verify", false, "read all data of the tables, and look up each key in its filter")
	flags.BoolVar(&c.Quiet, "quiet", false, "with -verify: print no progress")
	c.wanted.addTo(flags)
	c.tables.addTo(flags)
}

// Check reads the keys, and returns an error for arguments that are wrong.
func (c *Command) Check(names []string, stdin io.Reader) (err error) {
	switch {
	case len(names) == 0:
		return errors.New("no file was given: name at least one")
	case c.long && c.wanted.any():
		return errors.New("-long cannot be given with -key, -keys or -prefix")
	case c.verify && (c.long || c.wanted.any()):
		return errors.New("-verify cannot be given with -long, -key, -keys or -prefix")
	case c.Quiet && !c.verify:
		return errors.New("-quiet needs -verify")
	}
	if c.options, err = c.tables.options(c.verify || c.wanted.any()); err != nil {
		return err
	}
	c.queries, err = c.wanted.read(stdin)
	return err
}

// Run prints the contents of files. It returns the exit status, and has reported files that could not be read.
func (c *Command) Run(names []string, stdout, stderr io.Writer) int {
	names = expanded(names)
	if c.wanted.any() {
		l := &lookups{c.queries, c.options, c.wanted.hex, c.wanted.verbose, make([]bool, len(c.queries)), stdout}
		return l.run(names, c.asJSON, stderr)
	}
	if c.verify {
		v := &verification{options: c.options, asJSON: c.asJSON, progress: c.Progress, out: stdout, err: stderr}
		return v.run(names)
	}
	return printReports(names, c.asJSON, c.long, stdout, stderr)
}

// printReports prints which filters files have.
func printReports(names []string, asJSON, long bool, stdout, stderr io.Writer) int {
	write, end := textTo(stdout), func(int) error { return nil }
	switch {
	case asJSON:
		write = func(r *report) error { return json.NewEncoder(stdout).Encode(r) }
	case !long && len(names) > 1:
		l := newList(stdout, names)
		write, end = l.add, l.end
	}
	unreadable, err := readFiles(names, stderr, inspect, func(name string, r *report, err error) error {
		if err != nil {
			r = &report{Error: err.Error()}
		}
		r.File = name
		return write(r)
	})
	if err == nil {
		err = end(unreadable)
	}
	return status(unreadable, err, true, stderr)
}

// status returns the exit status, and reports an error of the output.
func status(unreadable int, err error, found bool, stderr io.Writer) int {
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "simdbloom sst: %v\n", err)
		return failed
	case unreadable > 0:
		return failed
	case !found:
		return notFound
	}
	return 0
}

// run prints the filters' answers to the queries.
func (l *lookups) run(names []string, asJSON bool, stderr io.Writer) int {
	write := l.text
	if asJSON {
		write = l.json
	}
	unreadable, err := readFiles(names, stderr, l.read, func(name string, file *answered, err error) error {
		l.remember(file, err)
		return write(name, file, err)
	})
	return status(unreadable, err, l.all(), stderr)
}
