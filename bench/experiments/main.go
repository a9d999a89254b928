// Command experiments measures filters in Pebble stores, in the experiments that Speedb published
// for its paired Bloom filter, and one of writes. Each has rounds, and in each round every
// filter has its turn, in random order: a run of bench/db_bench as a process of its own, so
// that its memory is the filter's store's alone. docs/experiments.md has the results.
//
//	experiments -o=experiments.json
//	experiments -o=experiments.json -only=rate,memory -n=1000000 -rounds=3
//
// Every finished turn is in the file at once. Run again with the same flags, the program
// continues where it was stopped. An experiment in the file that has other settings, or is of
// another machine, begins again.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/cpu"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 1 for an experiment that failed or was
// interrupted, 2 for invalid flags.
func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("experiments", args, stdout, stderr, parseSettings, measure)
}

func measure(s *settings, stdout, stderr io.Writer) error {
	if err := cpu.Problem(); err != nil {
		fmt.Fprintln(stderr, "experiments:", err)
	}
	ctx, stop := command.Interruptible()
	defer stop()
	all, err := results.LoadExperiments(s.out)
	if err != nil {
		return err
	}
	bench, err := buildDBBench(ctx, stderr)
	if err != nil {
		return err
	}
	defer bench.remove()
	if err := s.measure(ctx, all, bench, stderr); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s has the results; \"make plots\" draws them\n", s.out)
	return nil
}

// measure adds what is missing in all, and in the file, of each experiment.
func (s *settings) measure(ctx context.Context, all *results.Experiments, bench *dbBench, log io.Writer) error {
	for _, x := range s.experiments {
		w := &work{experiment: x, settings: s, all: all, bench: bench, log: log}
		if err := w.run(ctx); err != nil {
			if cause := context.Cause(ctx); cause != nil {
				err = fmt.Errorf("%w: run it again with the same flags to continue", cause)
			}
			return fmt.Errorf("%s: %w", x.name, err)
		}
	}
	return nil
}
