// Command pebble_gets measures what filters do for a Pebble store on disk. A store is filled
// by ordinary writes, flushes and compactions; its tables are written again for each filter,
// into a store of its own, at the same levels. Then present and absent keys are looked up in
// these, in rounds in which every store has its turn.
//
//	pebble_gets
//	pebble_gets -keys=500000 -filters=none,Pebble:10,Paired:23.4,Linear:16
//	pebble_gets -filters=Pebble:10,Legacy:10
//
// The filters Pebble:10 and Legacy:10 have the same bytes, which Pebble's code looks up in the
// one, and simdbloom's in the other.
//
// Gets are Pebble's DB.Get, which never queries the filters of L6, and the adapter's Get,
// which does. Blocks that are read missed the block cache; the system may still have them in
// memory, and with enough memory does.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/store"
	"github.com/simdbloom/simdbloom/cpu"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 1 for a benchmark that failed or was
// interrupted, 2 for invalid flags.
func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("pebble_gets", args, stdout, stderr, parseSettings, measure)
}

func measure(s *settings, stdout, stderr io.Writer) error {
	if err := cpu.Problem(); err != nil {
		fmt.Fprintln(stderr, "pebble_gets:", err)
	}
	ctx, stop := command.Interruptible()
	defer stop()
	out := &output{Machine: machine.Describe(), Pebble: store.PebbleVersion(), Settings: s.values}
	text := stdout
	if s.json {
		text = io.Discard
	}
	out.printHeading(text)
	bar := progress.Start(stderr, "filling and looking up", s.steps())
	err := out.measure(ctx, s, bar)
	bar.Done()
	if err == nil {
		out.printTables(text)
	}
	if s.json {
		err = command.WriteJSON(stdout, out, &out.Error, err)
	}
	return err
}
