// Command peers measures this project's filters beside those of other Go libraries: the
// false-positive rate for some bits per key, and the times of a lookup and of building for
// some sizes, of each filter with the setting that has a rate. It writes JSON, which bench/plots draws.
//
//	peers -o bench/peers.json
//	peers -o bench/peers.json -only=rates -peers=Ribbon
//
// The first one can be interrupted, and goes on when it is run again. The second measures Ribbon's
// rates again, which do not depend on the machine, and leaves the rest of the file as it is.
//
// Every library is used as its users do: it gets the same keys, uses its own hash or the
// one that it recommends, and its own memory. What is timed is written at the types filter
// and builder.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/results"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 1 for a benchmark that failed, 2 for
// invalid flags.
func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("peers", args, stdout, stderr, parseSettings, measure)
}

func measure(s *settings, stdout, stderr io.Writer) error {
	run, err := s.begin(stderr)
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, run.Machine)
	if s.only != onlyTimes { // the first, since they have the settings of filters that are timed
		if err := s.rates(run, stderr); err != nil {
			return err
		}
	}
	if s.only != onlyRates {
		if err := s.times(run, stderr); err != nil {
			return err
		}
	}
	if s.out != "" {
		return s.finish(run)
	}
	text, err := textOf(run)
	if err != nil {
		return err
	}
	_, err = stdout.Write(text)
	return err
}

// newRun is a run that has measured nothing yet.
func (s *settings) newRun() *results.Run {
	run := &results.Run{
		Machine: machine.Describe(), Date: time.Now().UTC().Format(time.DateOnly),
		KeyBytes: keyBytes, Rounds: s.rounds, Queries: s.queries, RateKeys: rateKeys, MostRateQueries: s.rateQueries, Note: s.note,
	}
	if s.cpu != "" {
		run.Machine.CPU = s.cpu
	}
	versions := versions()
	for _, p := range s.peers {
		run.Peers = append(run.Peers, &results.Peer{
			Name: p.name, Module: p.module, Version: versions[p.module], Own: p.own, Loops: p.loops, Steps: p.steps,
		})
	}
	return run
}

func textOf(run *results.Run) ([]byte, error) {
	text, err := json.MarshalIndent(run, "", " ")
	return append(text, '\n'), err
}

// versions are those of other modules in this program, by their paths.
func versions() map[string]string {
	of := make(map[string]string)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path != project {
				of[module.Path] = module.Version
			}
		}
	}
	return of
}
