// Command compare measures this library's filters beside other Go libraries', and writes what
// README.md and docs/measured.md show of it.
//
//	compare -o bench/compare.json
//	compare -o bench/compare.json -only=adders
//	compare -pages .
//	compare -quick
//	compare -beside
//
// The first measures everything, in a quarter of an hour: false-positive rates, then the times of lookups and
// of building at the same rates (times), those of the kernels of each level (levels), and adding keys to filters that
// take them at any time (adders). The second measures one of these again, and leaves the rest of the file as it
// is. The third measures nothing: it writes tables and plots into a clone, from its bench/compare.json. The
// fourth measures the rates and times of README's table with less work, and prints that table. The last prints, in a
// minute, the kinds of work in which other libraries were faster, and in how many cases one still is.
//
// Every library is used as its users do: it gets the same keys, uses its own hash or the one that it recommends, and
// its own memory. The types filter, builder and adder describe the timed calls. A present key that is not found
// is an error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit status: 1 for a benchmark that failed, 2 for invalid flags.
func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("compare", args, stdout, stderr, parseSettings, measure)
}

// settings are the flags.
type settings struct {
	out, pages  string
	only        string // one of parts, or all of them if it is empty
	peers       []*peer
	sizes       []int // keys
	rounds      int
	queries     int
	rateQueries int
	keys        keySet
	quick       bool
	beside      bool
}

// parts are the values of -only.
var parts = []string{"rates", "times", "levels", "adders"}

// inSummary are the parts that README's table is of.
var inSummary = []string{"rates", "times"}

// rateKeys is the number of keys in the filters whose rates are measured. As all numbers of
// keys here, it is a little less than a power of two: a cuckoo filter and ristretto's filter
// have a power of two of places, and a cuckoo filter cannot fill all of them.
const rateKeys = 9 * (1 << 20) / 10

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{peers: peers, keys: keySet{seed: 1}}
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	measured.Out(flags, &s.out)
	measured.Pages(flags, &s.pages)
	command.Rounds(flags, &s.rounds, 5)
	flags.StringVar(&s.only, "only", "", "measure one `part` again, and leave the others in the file of -o as they are: "+strings.Join(parts, ", "))
	const most = 1 << 30
	command.Number(flags, &s.queries, "queries", 1<<18, 1, most, "`number` of queries in a timed round")
	command.Number(flags, &s.rateQueries, "rate_queries", 50_000_000, 1, most, "`most` queries for a false-positive rate")
	const smallest, step = 13, 3
	var largest int
	command.Number(flags, &largest, "largest", 25, smallest, 28,
		"`exponent` of the largest filter, which has 0.9 times 2 to its power keys. 25 takes about 4 GB of memory")
	flags.BoolVar(&s.quick, "quick", false, "print README's table, of less work: 3 rounds, and at most 2,000,000 queries for a rate")
	flags.BoolVar(&s.beside, "beside", false, "print the kinds of work in which other libraries were faster, and in how many cases one still is")
	wanted := flags.String("peers", "", "`regexp` of the filters to measure (default all)")
	if err := command.Parse(flags, args, "compare [OPTIONS]", stderr); err != nil {
		return nil, err
	}
	for exponent := smallest; exponent <= largest; exponent += step {
		s.sizes = append(s.sizes, 9*(1<<exponent)/10)
	}
	if s.quick {
		s.rounds, s.rateQueries, s.sizes = min(s.rounds, 3), min(s.rateQueries, 2_000_000), []int{middle}
	}
	name, err := regexp.Compile(*wanted)
	if err != nil {
		return nil, fmt.Errorf("-peers: %w", err)
	}
	s.peers = slices.DeleteFunc(slices.Clone(peers), func(p *peer) bool { return !name.MatchString(p.name) })
	switch {
	case s.quick && (s.only != "" || s.out != "" || len(s.peers) < len(peers)):
		return nil, errors.New("-quick prints a table of all filters: it takes no -only, -o or -peers")
	case s.beside && (s.quick || s.only != "" || s.out != "" || len(s.peers) < len(peers)):
		return nil, errors.New("-beside prints a table: it takes no -quick, -only, -o or -peers")
	case s.only != "" && !slices.Contains(parts, s.only):
		return nil, fmt.Errorf("-only must be one of %s", strings.Join(parts, ", "))
	case s.only != "" && s.out == "":
		return nil, errors.New("-only needs -o, whose file has the other figures")
	case s.only != "" && len(s.peers) < len(peers):
		return nil, errors.New("-only needs all peers: times of two runs are no comparison")
	case len(s.peers) == 0:
		return nil, errors.New("-peers matches no filter")
	}
	return s, nil
}

func measure(s *settings, stdout, stderr io.Writer) error {
	if s.pages != "" {
		return measured.WritePages(s.pages, "compare.json", (*runResults).files)
	}
	if s.beside {
		return s.besides(stdout)
	}
	old := new(runResults)
	if s.only != "" {
		var err error
		if old, err = measured.Load[runResults](s.out); err != nil {
			return err
		}
	}
	r := s.newRun(old)
	fmt.Fprintln(stderr, measured.Describe())
	// Rates are the first, since they have the settings of filters that are timed.
	for i, part := range []func(*runResults, io.Writer) error{s.rates, s.times, s.levels, s.adders} {
		if s.only != "" && s.only != parts[i] || s.quick && !slices.Contains(inSummary, parts[i]) {
			continue
		}
		if err := part(r, stderr); err != nil {
			return err
		}
	}
	if s.quick {
		_, err := fmt.Fprintf(stdout, "%s\n%s", r.summary(), r.describe())
		return err
	}
	return measured.Save(s.out, stdout, r)
}

// newRun is a run with the results of an old one, if it has any.
func (s *settings) newRun(old *runResults) *runResults {
	r := *old
	r.KeyBytes, r.RateKeys, r.Peers = keyBytes, rateKeys, nil
	versions := make(map[string]string)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			versions[module.Path] = module.Version
		}
	}
	for _, p := range s.peers {
		m := &peerResults{Name: p.name, Module: p.module, Own: p.own, Loops: p.loops}
		if !p.own {
			m.Version = versions[p.module]
		}
		if before := old.peer(p.name); before != nil {
			m.Rates, m.Sizes = before.Rates, before.Sizes
		}
		r.Peers = append(r.Peers, m)
	}
	return &r
}
