// Package experiments measures filters in Pebble stores, in the experiments that Speedb published
// for its paired Bloom filter, and one of writes. Each has rounds, and in each round every
// filter has its turn, in random order: a run of db_bench as a process of its own, so
// that its memory is the filter's store's alone.
//
//	db_bench experiments -o=bench/db_bench.json
//	db_bench experiments -o=bench/db_bench.json -only=rate,memory -n=1000000 -rounds=3
//	db_bench experiments -pages=.
//
// The file has each finished experiment at once, and keeps those that are not measured again. The last one
// measures nothing, and writes tables and plots into a clone.
package experiments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// Run is the command. It returns the exit status: 1 for an experiment that failed or was
// interrupted, 2 for invalid flags.
func Run(args []string, stdout, stderr io.Writer) int {
	return command.Run("db_bench experiments", args, stdout, stderr, parseSettings, measure)
}

func measure(s *settings, stdout, stderr io.Writer) error {
	if s.pages != "" {
		return measured.WritePages(s.pages, "db_bench.json", filesOfExperiments)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if err := s.measure(ctx, &dbBench{program, stderr}, stderr); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s has the results; \"make pages\" shows them\n", s.out)
	return nil
}

// measure measures the experiments, and puts each into the file.
func (s *settings) measure(ctx context.Context, bench *dbBench, log io.Writer) error {
	all, err := measured.Load[results.Experiments](s.out)
	if errors.Is(err, fs.ErrNotExist) {
		all = new(results.Experiments)
	} else if err != nil {
		return err
	}
	for _, x := range s.experiments {
		w := &work{experiment: x, settings: s, bench: bench, log: log}
		if err := w.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
		all.Put(w.x)
		if err := measured.Save(s.out, nil, all); err != nil {
			return err
		}
	}
	return nil
}
