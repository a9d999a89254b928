//go:build iceberg && unix

// Measure measures adapters/parquet beside iceberg-go's pruning, and columns beside arrow-go and parquet-go:
//
//	measure -o bench/parquet.json
//
// All candidates alternate, in one process.
package main

import (
	"flag"
	"log"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/simdbloom/simdbloom/bench/parquet/results"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

func main() {
	var out string
	measured.Out(flag.CommandLine, &out)
	rounds := flag.Int("rounds", 15, "`number` of rounds")
	parts := flag.String("parts", "prune columns", "what to measure: prune, columns or \"prune columns\", which -o needs")
	flag.Parse()
	if !slices.Contains([]string{"prune", "columns", "prune columns"}, *parts) || out != "" && *parts != "prune columns" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	r := &results.Run{Machine: measured.Describe(), Date: time.Now().Format(time.DateOnly), Rounds: *rounds}
	for _, part := range []struct {
		name    string
		measure func(*results.Run) error
	}{{"prune", prune}, {"columns", columns}} {
		if slices.Contains([]string{part.name, "prune columns"}, *parts) {
			if err := part.measure(r); err != nil {
				log.Fatal(err)
			}
		}
	}
	if out == "" {
		return
	}
	if err := measured.Save(out, nil, r); err != nil {
		log.Fatal(err)
	}
}

// turns lets measured functions take turns. Each appends the nanoseconds of the processor's time of a call to its
// times: on a busy machine, that of the clock has other programs' time in it.
func turns(rounds int, all ...timed) error {
	for range rounds {
		for _, t := range all {
			runtime.GC() // garbage of the one before it
			start, err := processorTime()
			if err != nil {
				return err
			}
			for range t.repeat {
				if err := t.call(); err != nil {
					return err
				}
			}
			end, err := processorTime()
			if err != nil {
				return err
			}
			*t.times = append(*t.times, float64(end-start)/float64(t.repeat)/t.unit)
		}
	}
	return nil
}

// processorTime returns the nanoseconds that this process has used.
func processorTime() (int64, error) {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano(), err
}

// timed is a call whose time is measured, of several calls at once if it is short.
type timed struct {
	times  *[]float64
	unit   float64 // nanoseconds, or nanoseconds for each value
	repeat int
	call   func() error
}
