// Command keys measures filters by their keys: lookups of keys of several lengths, one behind the other or scattered
// over 64 MiB, in calls of 1 to 65,536 keys, in filters of three sizes. It also measures hashing and building. It
// measures every level of this machine, in some minutes, and prints tables in Markdown:
//
//	keys
//	keys -only="^FastLocal by XX64, avx512"
//
// Half of the keys that are looked up are present. Hashing is timed with everything else.
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
	"github.com/simdbloom/simdbloom/cpu"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

func main() {
	os.Exit(command.Run("keys", os.Args[1:], os.Stdout, os.Stderr, parseSettings, measure))
}

// settings are the flags.
type settings struct {
	only      *regexp.Regexp // of the tables
	rounds    int
	queries   int
	scattered int // the number of scattered keys
	sizes     []size
}

// size is a size of filters.
type size struct {
	name  string
	bytes int
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{sizes: []size{{"16 KiB", 16 << 10}, {"1 MiB", 1 << 20}, {"32 MiB", 32 << 20}}, scattered: 64 << 20 / slotBytes}
	flags := flag.NewFlagSet("keys", flag.ContinueOnError)
	command.Rounds(flags, &s.rounds, 5)
	command.Number(flags, &s.queries, "queries", 1<<16, 64, 1<<20, "`number` of keys that are looked up in a round")
	command.Only(flags, &s.only, "measure the tables whose headings match a `regexp`")
	return s, command.Parse(flags, args, "keys [OPTIONS]", stderr)
}

func measure(s *settings, stdout, stderr io.Writer) error {
	defer machine.Pin()()
	fmt.Fprintf(stdout, "%s, %s. Medians of %d rounds, ns a key.\n", measured.Describe(), time.Now().UTC().Format(time.DateOnly), s.rounds)
	some := false
	table := func(name string, level cpu.Level, print func() error) error {
		heading := name + ", " + level.String()
		if !s.only.MatchString(heading) {
			return nil
		}
		some = true
		defer cpu.Limit(level)()
		fmt.Fprintf(stdout, "\n**%s**\n\n", heading)
		return print()
	}
	for _, level := range []cpu.Level{cpu.AVX512, cpu.AVX2, cpu.NEON, cpu.Generic} {
		if !cpu.Current().Includes(level) {
			continue
		}
		err := table("Hashing", level, func() error { return s.hashing(stdout) })
		if err == nil {
			err = table("Building", level, func() error { return s.building(stdout) })
		}
		if err != nil {
			return err
		}
		for _, k := range kinds {
			if err := table(k.name, level, func() error { return s.lookups(stdout, k) }); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
		}
	}
	if !some {
		return fmt.Errorf("-only=%q matches no table", s.only)
	}
	return nil
}
