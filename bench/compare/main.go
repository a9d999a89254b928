// Command compare measures lookups: of simdbloom's filters at every level of this
// machine, of other Go filters in as much memory with as many keys, and of the
// floor below all of them, which only loads each key's line. All of it is done in
// one process and on one CPU, in interleaved rounds. With -single it measures lookups
// of one key at a time through the interfaces of Pebble and goleveldb, beside their own
// filters. With -build it measures how simdbloom's filters, parquet-go's and binary fuse
// filters are built. With -grow it measures filters that keys can be added to at any time:
// Add, Contains in turn with it, batches, and goroutines that add at once.
//
//	compare
//	compare -sizes=16KiB -bits_per_key=10 -present=0.5 -batch=0,8,32 -rows='batch|parquet'
//	compare -sizes=1MiB -key_bytes=16,32
//	compare -sizes=1GiB -pages=ordinary -copies -json
//	compare -single -key_bytes=8,16,24,32,64 -offset=16
//	compare -single -turn=2048 -rows='^pebble (Legacy|Fast)' -key_bytes=8,16,24 -sizes=16KiB,1000KiB,31000KiB
//	compare -build -sizes=16KiB,1MiB -concurrency=1,2
//	compare -grow -rounds=25 -queries=128Ki -levels=best
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/cpu"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 1 for a comparison that failed, 2 for
// invalid flags.
func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("compare", args, stdout, stderr, parseSettings, measure)
}

func measure(s *settings, stdout, stderr io.Writer) error {
	if err := cpu.Problem(); err != nil {
		fmt.Fprintln(stderr, "compare:", err)
	}
	out := &output{
		text: stdout, progress: stderr,
		Machine: machine.Describe(), Settings: s.values, Versions: versions(), Notes: s.notes(),
	}
	if s.json {
		out.text = io.Discard
	}
	out.printHeading()
	err := compare(s, out)
	if err == nil {
		fmt.Fprint(out.text, s.legend())
	}
	if s.json {
		err = command.WriteJSON(stdout, out, &out.Error, err)
	}
	return err
}

// compare makes the tables of every combination of the settings.
func compare(s *settings, out *output) error {
	for _, size := range s.sizes.values {
		for _, bitsPerKey := range s.bitsPerKey.values {
			for _, keyBytes := range s.keyBytes.values {
				compareTo := compareFilled
				switch {
				case s.build:
					compareTo = compareBuilding
				case s.grow:
					compareTo = compareGrowing
				}
				fill := newFilling(size.bytes, bitsPerKey, keyBytes)
				fill.filters = size.filters
				if err := compareTo(s, fill, out); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compareBuilding makes the table of building filters that are filled alike.
func compareBuilding(s *settings, fill filling, out *output) error {
	f := newField(s, fill)
	t, err := f.timeBuilding(s, out.progress)
	if err != nil {
		return err
	}
	built := f.describeBuilding(s, t)
	out.Filters = append(out.Filters, built)
	built.print(out.text)
	t.print(out.text)
	return nil
}

// compareGrowing makes the table of filters that grow.
func compareGrowing(s *settings, fill filling, out *output) (err error) {
	f := newField(s, fill)
	defer func() { err = errors.Join(err, f.unmap()) }()
	if err := f.build(s, out.progress); err != nil {
		return err
	}
	grown, err := f.describe(s)
	if err != nil {
		return err
	}
	out.Filters = append(out.Filters, grown)
	if grown.Growing, err = f.timeGrowing(s, out.progress); err != nil {
		return err
	}
	grown.print(out.text)
	grown.Growing.print(out.text)
	return nil
}

// compareFilled makes the tables of filters that are filled once.
func compareFilled(s *settings, fill filling, out *output) (err error) {
	f := newField(s, fill)
	defer func() { err = errors.Join(err, f.unmap()) }()
	if err := f.build(s, out.progress); err != nil {
		return err
	}
	built, err := f.describe(s)
	if err != nil {
		return err
	}
	out.Filters = append(out.Filters, built)
	built.print(out.text)
	keys := newKeySource(s.seed, f.shared())
	keys.fresh = fill.keys
	for _, way := range s.waysToQuery() {
		timeRows := f.time
		if s.turn > 0 {
			timeRows = f.timeInTurns
		}
		t, err := timeRows(s, keys, way, out.progress)
		if err != nil {
			return err
		}
		built.Tables = append(built.Tables, t)
		if !s.single {
			t.print(out.text, s.touch == touchAll)
		}
	}
	if s.single {
		printSingle(out.text, built.Tables)
	}
	return nil
}
