// Command linear measures linear filters beside binary fuse filters, which also store fingerprints: lookups in
// filters of four sizes, and building, planning and lookups with any number of keys.
//
//	linear -o bench/linear.json
//	linear -o bench/linear.json -only="1 GiB"
//	linear -pages .
//
// The first measures everything, in half an hour and 8 GB of memory. The second measures one part again, and
// leaves the rest of the file as it is. The third measures nothing: it writes
// the tables and the plots of docs/linear.md, in a clone, from its bench/linear.json.
//
// All filters get the same hashes, and hashing is not timed. Builders are used again, so that neither allocates.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/machine"
)

func main() {
	os.Exit(command.Run("linear", os.Args[1:], os.Stdout, os.Stderr, parseSettings, measure))
}

// settings are the flags.
type settings struct {
	out, pages string
	only       *regexp.Regexp // of the parts
	rounds     int
	queries    int
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("linear", flag.ContinueOnError)
	command.Out(flags, &s.out)
	command.Pages(flags, &s.pages)
	command.Rounds(flags, &s.rounds, 7)
	command.Number(flags, &s.queries, "queries", 1<<16, 64, 1<<24, "`number` of hashes that are looked up in a round")
	only := flags.String("only", "", "measure the parts that match a `regexp`, and leave the others in the file of -o as they are")
	err := command.Parse(flags, args, "linear [OPTIONS]", stderr)
	if err == nil {
		s.only, err = regexp.Compile(*only)
	}
	return s, err
}

func measure(s *settings, stdout, stderr io.Writer) error {
	if s.pages != "" {
		return command.WritePages(s.pages, "linear.json", (*results).files)
	}
	r := &results{Parts: make(map[string]*part)}
	if _, err := os.Stat(s.out); err == nil {
		if r, err = command.Load[results](s.out); err != nil {
			return err
		}
	}
	fmt.Fprintln(stderr, machine.Describe())
	some := false
	for _, p := range parts() {
		if !s.only.MatchString(p.name) {
			continue
		}
		some = true
		fmt.Fprintln(stderr, p.name)
		done := &part{Machine: machine.Describe(), Date: time.Now().UTC().Format(time.DateOnly), Rounds: s.rounds}
		if err := p.measure(s, done); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		r.Parts[p.name] = done
	}
	if !some {
		return fmt.Errorf("-only=%q matches no part", s.only)
	}
	return command.Save(s.out, stdout, r)
}
