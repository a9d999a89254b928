// Command linear measures linear filters beside binary fuse filters, which also store fingerprints: lookups in
// filters of four sizes, and building, planning and lookups with any number of keys.
//
//	linear -o bench/linear.json
//	linear -o bench/linear.json -only="1 GiB"
//	linear -pages .
//
// The first measures everything, in a quarter of an hour and 16 GB of memory. The second measures one part again, and
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
	"slices"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/internal/test/measured"
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
	stderr     io.Writer // shows the progress
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{stderr: stderr}
	flags := flag.NewFlagSet("linear", flag.ContinueOnError)
	measured.Out(flags, &s.out)
	measured.Pages(flags, &s.pages)
	command.Rounds(flags, &s.rounds, 7)
	command.Number(flags, &s.queries, "queries", 1<<16, 64, 1<<24, "`number` of hashes that are looked up in a round")
	command.Only(flags, &s.only, "measure the parts that match a `regexp`, and leave the others in the file of -o as they are")
	return s, command.Parse(flags, args, "linear [OPTIONS]", stderr)
}

func measure(s *settings, stdout, stderr io.Writer) error {
	if s.pages != "" {
		return measured.WritePages(s.pages, "linear.json", (*results).files)
	}
	r := &results{Parts: make(map[string]*part)}
	if _, err := os.Stat(s.out); err == nil {
		if r, err = measured.Load[results](s.out); err != nil {
			return err
		}
	}
	fmt.Fprintln(stderr, measured.Describe())
	all := slices.DeleteFunc(parts(), func(p measuredPart) bool { return !s.only.MatchString(p.name) })
	for i, p := range all {
		fmt.Fprintf(stderr, "%s (part %d of %d)\n", p.name, i+1, len(all))
		done := &part{Machine: measured.Describe(), Date: time.Now().UTC().Format(time.DateOnly), Rounds: s.rounds}
		if err := p.measure(s, done); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		r.Parts[p.name] = done
		if i < len(all)-1 && s.out != "" { // a failure leaves what was measured
			if err := measured.Save(s.out, stdout, r); err != nil {
				return err
			}
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("-only=%q matches no part", s.only)
	}
	return measured.Save(s.out, stdout, r)
}
