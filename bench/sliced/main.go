// Command sliced measures lookups of one key in many filters: a loop of ContainsHash, AppendFilters and Candidates
// beside package sliced, at every level of the machine, and appending.
//
//	sliced -o bench/sliced.json
//	sliced -pages .
//
// The first measures, in some minutes and 1 GB of memory. The file keeps the runs on other processors. The second
// measures nothing: it writes the table of docs/measured.md, in a clone, from its bench/sliced.json.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

func main() {
	os.Exit(command.Run("sliced", os.Args[1:], os.Stdout, os.Stderr, parseSettings, measure))
}

// settings are the flags.
type settings struct {
	out, pages string
	only       *regexp.Regexp // of the sizes
	rounds     int
	stderr     io.Writer // shows the progress
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{stderr: stderr}
	flags := flag.NewFlagSet("sliced", flag.ContinueOnError)
	measured.Out(flags, &s.out)
	measured.Pages(flags, &s.pages)
	command.Rounds(flags, &s.rounds, 12)
	command.Only(flags, &s.only, "measure only the sizes that match a `regexp`, such as '^1,024 × 1,000$'")
	return s, command.Parse(flags, args, "sliced [OPTIONS]", stderr)
}

// sizes are numbers of filters, and of keys in each.
var sizes = [][2]int{
	{64, 1000},
	{128, 1000},
	{1024, 100},
	{1024, 1000},
	{1024, 10_000},
	{10_240, 100},
	{10_240, 1000},
	{10_240, 10_000},
	{100_000, 100},
	{100_000, 1000},
}

func measure(s *settings, stdout, stderr io.Writer) error {
	if s.pages != "" {
		return measured.WritePages(s.pages, "sliced.json", files)
	}
	r := &results{measured.Describe(), time.Now().UTC().Format(time.DateOnly), s.rounds, make(map[string]*size)}
	fmt.Fprintln(stderr, r.Machine)
	for _, of := range sizes {
		if !s.only.MatchString(name(of)) {
			continue
		}
		done, err := s.size(name(of), of[0], of[1])
		if err != nil {
			return fmt.Errorf("%s: %w", name(of), err)
		}
		r.Sizes[name(of)] = done
	}
	if len(r.Sizes) == 0 {
		return fmt.Errorf("-only=%q matches no size", s.only)
	}
	return measured.SaveRun(s.out, stdout, r)
}
