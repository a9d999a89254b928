package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/simdbloom/simdbloom/bench/internal/command"
)

// settings are the flags.
type settings struct {
	out, cpu    string
	peers       []*peer
	sizes       []int // keys
	rounds      int
	queries     int
	rateQueries int
	keys        keySet
}

// rateKeys is the number of keys in the filters whose rates are measured. As all numbers of
// keys here, it is a little less than a power of two: a cuckoo filter and ristretto's filter
// have a power of two of places, and a cuckoo filter cannot fill all of them.
const rateKeys = 9 * (1 << 20) / 10

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{peers: peers, keys: keySet{seed: 1}}
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // an error is reported once
	flags.StringVar(&s.out, "o", "", "write to a `file` instead of standard output")
	flags.IntVar(&s.rounds, "rounds", 7, "`number` of timed rounds")
	flags.IntVar(&s.queries, "queries", 1<<18, "`number` of queries in a timed round")
	flags.IntVar(&s.rateQueries, "rate_queries", 200_000_000, "`most` queries for a false-positive rate")
	flags.StringVar(&s.cpu, "cpu", "", "`name` of the processor, if the one that it gives itself says too little")
	largest := flags.Int("largest", 25, "`exponent` of the largest filter, which has 0.9 times 2 to its power keys")
	wanted := flags.String("peers", "", "`regexp` of the peers to measure (default all)")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stderr)
		fmt.Fprint(stderr, "USAGE: peers [OPTIONS]\n\n")
		flags.PrintDefaults()
	}
	if err != nil {
		return nil, fmt.Errorf("%w (-help lists the flags)", err)
	}
	const smallest, step = 13, 3
	for exponent := smallest; exponent <= *largest; exponent += step {
		s.sizes = append(s.sizes, 9*(1<<exponent)/10)
	}
	name, err := regexp.Compile(*wanted)
	if err != nil {
		return nil, fmt.Errorf("-peers: %w", err)
	}
	s.peers = slices.DeleteFunc(slices.Clone(peers), func(p *peer) bool { return !name.MatchString(p.name) })
	s.out = command.Path(s.out)
	return s, s.check(*largest, flags.Args())
}

func (s *settings) check(largest int, arguments []string) error {
	const mostKeys = 28 // the exponent of the largest number of keys that memory should hold
	switch {
	case len(arguments) > 0:
		return fmt.Errorf("%q is no flag", arguments)
	case s.rounds < 1 || s.queries < 1 || s.rateQueries < 1:
		return errors.New("-rounds, -queries and -rate_queries must be at least 1")
	case len(s.sizes) == 0 || largest > mostKeys:
		return fmt.Errorf("-largest must be 13 to %d", mostKeys)
	case len(s.peers) == 0:
		return errors.New("-peers matches no peer")
	}
	return nil
}
