// Command db_bench measures Pebble as RocksDB's db_bench measures RocksDB: the same benchmarks,
// flags, defaults, keys and lines, with any of this project's filters or Pebble's own.
// CONTRIBUTING.md lists the differences.
//
//	db_bench -benchmarks=fillrandom,readrandom,readmissing,stats -num=1000000 \
//		-filter_uri=speedb.PairedBloomFilter:23.4
//	db_bench -benchmarks=fillrandom,compact,readmissing -bloom_bits=10 -statistics -histogram
//	db_bench -benchmarks=readwhilewriting -db=/path/to/store -use_existing_db -threads=4 -duration=60
//
// "db_bench experiments" measures filters beside each other by such runs: package experiments.
// -help lists all flags. -json prints machine-readable figures, for programs that run it.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/simdbloom/simdbloom/bench/db_bench/experiments"
	"github.com/simdbloom/simdbloom/bench/internal/command"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 1 for a benchmark that failed or was
// interrupted, 2 for invalid flags.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "experiments" {
		return experiments.Run(args[1:], stdout, stderr)
	}
	return command.Run("db_bench", args, stdout, stderr, parseSettings, measure)
}

func measure(s *settings, stdout, _ io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	text := stdout
	if s.json {
		text = io.Discard
	}
	out := newOutput(s)
	err := (&session{settings: s, ctx: ctx, w: text, output: out}).run()
	if s.json {
		err = command.WriteJSON(stdout, out, &out.Error, err)
	}
	return err
}
