// Command peers measures this project's filters beside those of other Go libraries: the
// false-positive rate for some bits per key, and the time of a lookup and of building for
// some sizes. It writes JSON, which bench/plots draws.
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
// flags that cannot be.
func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("peers", args, stdout, stderr, parseSettings, measure)
}

func measure(s *settings, stdout, stderr io.Writer) error {
	run := &results.Run{
		Machine: machine.Describe(), Date: time.Now().UTC().Format(time.DateOnly),
		KeyBytes: keyBytes, Rounds: s.rounds, Queries: s.queries, RateKeys: rateKeys,
	}
	if s.cpu != "" {
		run.Machine.CPU = s.cpu
	}
	versions := versions()
	for _, p := range s.peers {
		run.Peers = append(run.Peers, &results.Peer{
			Name: p.name, Module: p.module, Version: versions[p.module], Own: p.own, Usual: p.usual, Steps: p.steps,
		})
	}
	fmt.Fprintln(stderr, run.Machine)
	if err := s.times(run, stderr); err != nil {
		return err
	}
	if err := s.rates(run, stderr); err != nil {
		return err
	}
	text, err := json.MarshalIndent(run, "", " ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if s.out != "" {
		return os.WriteFile(s.out, text, 0o644)
	}
	_, err = stdout.Write(text)
	return err
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
