package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/pebblefilter"
)

// settings are the flags.
type settings struct {
	keys, valueBytes, cacheMiB int
	gets, rounds               int
	filters                    []filter
	shape                      shape
	dir                        string
	json                       bool

	values map[string]string // of all flags
}

// filter is what a store's tables have.
type filter struct {
	name   string
	policy pebble.FilterPolicy // nil for none
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := new(settings)
	const defaultFilters = "none,Pebble:10,Legacy:10,Pebble:23,FastLocal:10,FastLocal:16,Paired:23.4,Linear:16"
	if err := s.setFilters(defaultFilters); err != nil {
		panic(err) // the defaults are this program's own
	}
	flags := flag.NewFlagSet("pebble_gets", flag.ContinueOnError)
	flags.IntVar(&s.keys, "keys", 5_000_000, "`number` of keys of 16 bytes in each store")
	flags.IntVar(&s.valueBytes, "value_bytes", 100, "`bytes` of each value")
	flags.IntVar(&s.cacheMiB, "cache", 64, "`MiB` of each store's block cache")
	flags.IntVar(&s.gets, "gets", 100_000, "`number` of timed lookups of each kind in a round")
	flags.IntVar(&s.rounds, "rounds", 5, "`number` of rounds")
	flags.Func("filters", "`list` of filters: "+pebblefilter.Names+" (default "+defaultFilters+")", s.setFilters)
	s.shape = filled
	flags.Func("shape", "`shape` of the stores: filled, by ordinary writes; L0, 64 tables that overlap; compacted; or mixed, half "+
		"compacted and half in 32 tables of L0 (default filled)", s.shape.set)
	flags.StringVar(&s.dir, "dir", "", "`directory` in which the stores are made, and removed afterwards (default the system's for "+
		"temporary files); the default settings need 7 GB")
	flags.BoolVar(&s.json, "json", false, "print one JSON object instead of text")
	if err := command.Parse(flags, args, "pebble_gets [OPTIONS]", stderr); err != nil {
		return nil, fmt.Errorf("%w (-help lists the flags)", err)
	}
	s.dir = command.Path(s.dir)
	s.values = make(map[string]string)
	flags.VisitAll(func(f *flag.Flag) { s.values[f.Name] = f.Value.String() })
	s.values["filters"], s.values["shape"] = s.filterNames(), string(s.shape)
	return s, s.check(flags.Args())
}

func (s *settings) setFilters(text string) error {
	s.filters = nil
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		policy, err := pebblefilter.Parse(name)
		if err != nil {
			return err
		}
		s.filters = append(s.filters, filter{name, policy})
	}
	return nil
}

func (s *settings) filterNames() string {
	var names []string
	for _, f := range s.filters {
		names = append(names, f.name)
	}
	return strings.Join(names, ",")
}

// check returns an error for invalid settings.
func (s *settings) check(arguments []string) error {
	const most = 1 << 30
	if len(arguments) > 0 {
		return fmt.Errorf("%q is not a flag", strings.Join(arguments, " "))
	}
	for _, setting := range []struct {
		name         string
		value, least int
	}{{"keys", s.keys, 1000}, {"value_bytes", s.valueBytes, 0}, {"cache", s.cacheMiB, 1}, {"gets", s.gets, 1000}, {"rounds", s.rounds, 1}} {
		if setting.value < setting.least || setting.value > most {
			return fmt.Errorf("-%s must be %d to %d", setting.name, setting.least, most)
		}
	}
	return nil
}

// steps is how far the progress bar goes: a step is 1,000 keys written or looked up.
func (s *settings) steps() int {
	lookups := (s.rounds + 1) * len(lookups) * (s.gets / 1000)
	return s.keys/1000 + len(s.filters)*(s.keys/1000+lookups)
}
