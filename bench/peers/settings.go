package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/command"
)

// settings are the flags.
type settings struct {
	out, cpu    string
	peers       []*peer
	only        string // "rates" or "times", or all of it if it is empty
	note        string
	sizes       []int // keys
	rounds      int
	queries     int
	rateQueries int
	keys        keySet
}

// Values of -only.
const (
	onlyRates = "rates"
	onlyTimes = "times"
)

// rateKeys is the number of keys in the filters whose rates are measured. As all numbers of
// keys here, it is a little less than a power of two: a cuckoo filter and ristretto's filter
// have a power of two of places, and a cuckoo filter cannot fill all of them.
const rateKeys = 9 * (1 << 20) / 10

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{peers: peers, keys: keySet{seed: 1}}
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.StringVar(&s.out, "o", "", "write to a `file` instead of standard output; an interrupted run goes on from that name with \".part\"")
	flags.StringVar(&s.only, "only", "", "measure only `rates|times`, and leave the others in the file of -o as they are")
	flags.StringVar(&s.note, "note", "", "`text` that the page shall say of this run, such as what else ran on the machine")
	flags.IntVar(&s.rounds, "rounds", 5, "`number` of timed rounds")
	flags.IntVar(&s.queries, "queries", 1<<18, "`number` of queries in a timed round")
	flags.IntVar(&s.rateQueries, "rate_queries", 50_000_000, "`most` queries for a false-positive rate")
	flags.StringVar(&s.cpu, "cpu", "", "`name` of the processor, if the one that it gives itself says too little")
	largest := flags.Int("largest", 25, "`exponent` of the largest filter, which has 0.9 times 2 to its power keys. 25 takes about 4 GB of memory")
	step := flags.Int("step", 3, "`exponents` from one size to the next; the tables have 16, 19 and 25")
	wanted := flags.String("peers", "", "`regexp` of the peers to measure (default all)")
	err := command.Parse(flags, args, "peers [OPTIONS]", stderr)
	if err != nil {
		return nil, fmt.Errorf("%w (-help lists the flags)", err)
	}
	const smallest = 13
	for exponent := smallest; exponent <= *largest; exponent += max(1, *step) {
		s.sizes = append(s.sizes, 9*(1<<exponent)/10)
	}
	name, err := regexp.Compile(*wanted)
	if err != nil {
		return nil, fmt.Errorf("-peers: %w", err)
	}
	s.peers = slices.DeleteFunc(slices.Clone(peers), func(p *peer) bool { return !name.MatchString(p.name) })
	s.out = command.Path(s.out)
	return s, s.check(*largest, *step, flags.Args())
}

func (s *settings) check(largest, step int, arguments []string) error {
	const mostKeys = 28 // the exponent of the largest number of keys that memory should hold
	switch {
	case len(arguments) > 0:
		return fmt.Errorf("%q is not a flag", strings.Join(arguments, " "))
	case s.rounds < 1 || s.queries < 1 || s.rateQueries < 1:
		return errors.New("-rounds, -queries and -rate_queries must be at least 1")
	case step < 1:
		return errors.New("-step must be at least 1")
	case !slices.Contains([]string{"", onlyRates, onlyTimes}, s.only):
		return fmt.Errorf("-only must be %s or %s", onlyRates, onlyTimes)
	case s.only != "" && s.out == "":
		return errors.New("-only needs -o, whose file has the other figures")
	case s.only == onlyTimes && len(s.peers) < len(peers):
		return errors.New("-only=times needs all peers: times of two runs are no comparison")
	case len(s.sizes) == 0 || largest > mostKeys:
		return fmt.Errorf("-largest must be 13 to %d", mostKeys)
	case len(s.peers) == 0:
		return errors.New("-peers matches no peer")
	}
	return nil
}
