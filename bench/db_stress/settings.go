package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/pebblefilter"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// settings are the flags. The exported ones are for the process that has the store.
type settings struct {
	Threads, MaxKey, ReadFaultOneIn, CompactRangeOneIn int
	OpsPerThread                                       int // not a flag

	filterURI    string
	bloomBits    float64
	prefixSize   int
	duration     time.Duration
	killInterval time.Duration
	kills        int
	seed         uint64
	db           string
	corruptOneIn int
	verifyOnly   bool
}

// random is the value of -filter_uri, and -1 that of a number, which a run chooses.
const random = "random"

// defaultBits are the bits per key of RocksDB's and Speedb's db_stress.
const defaultBits = 10

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	const most = 1 << 30
	s := &settings{OpsPerThread: math.MaxInt}
	flags := flag.NewFlagSet("db_stress", flag.ContinueOnError)
	command.Threads(flags, &s.Threads, 4)
	command.Number(flags, &s.MaxKey, "max_key", 20_000, 1, 1e9, "`number` of keys. Each thread writes a part of its own, and reads all")
	command.Number(flags, &s.ReadFaultOneIn, "read_fault_one_in", 1000, 0, most, "a read of a table file fails with an injected error once in this number of `times`; 0: never")
	command.Number(flags, &s.CompactRangeOneIn, "compact_range_one_in", 5000, 0, most, "an operation compacts a random range instead once in this number of `times`; 0: never")
	flags.StringVar(&s.filterURI, "filter_uri", random, "filter `policy` of all levels: "+pebblefilter.Names+"; random: another one for each level and run")
	flags.Float64Var(&s.bloomBits, "bloom_bits", -1, fmt.Sprintf("`bits` per key, appended to -filter_uri, or without it those of RocksDB's default filter, bloomfilter; "+
		"0 or less: %v for a -filter_uri that has none", defaultBits))
	command.Number(flags, &s.prefixSize, "prefix_size", -1, -1, headBytes, "`bytes` of a key that go into filters; 0: all; -1: random for each store")
	flags.DurationVar(&s.duration, "duration", 10*time.Minute, "`time` after which the last store is verified, and the program ends")
	flags.DurationVar(&s.killInterval, "kill_interval", time.Second, "mean `time` from the end of verification until the store is killed")
	command.Number(flags, &s.kills, "kills", 0, 0, most, "`number` of kills after which the program ends, if -duration is not over before; 0: any number")
	flags.Uint64Var(&s.seed, "seed", 0, "`seed` of all that is chosen at random; 0: a random one, which is printed")
	measured.File(flags, &s.db, "db", "`directory` of the store, empty or not there; or one that an earlier run kept, to go on with. Without it, one for temporary files, which is removed if nothing was lost")
	command.Number(flags, &s.corruptOneIn, "corrupt_one_in", 2, 0, most, "change filter blocks after a run once in this number of `times`, and restore them after a look at all keys; 0: never")
	flags.BoolVar(&s.verifyOnly, "verification_only", false, "verify the store in -db, and nothing else")
	if err := command.Parse(flags, args, "db_stress [OPTIONS]", stderr); err != nil {
		return nil, err
	}
	if s.seed == 0 {
		s.seed = rand.Uint64()
	}
	switch {
	case s.bloomBits > 0 && s.filterURI == random:
		s.filterURI = ""
	case !(s.bloomBits > 0) && pebblefilter.NeedsBits(s.filterURI):
		s.bloomBits = defaultBits
		fmt.Fprintf(stderr, "note: appending --bloom-bits (%v) to --filter-uri\n", s.bloomBits)
	}
	var err error
	if s.filterURI, err = pebblefilter.WithBits(s.filterURI, s.bloomBits); err != nil {
		return nil, err
	}
	return s, s.check()
}

// check returns an error for invalid settings.
func (s *settings) check() error {
	switch {
	case s.MaxKey < s.Threads:
		return fmt.Errorf("-max_key must be at least %d, a key for each thread", s.Threads)
	case s.duration <= 0 || s.killInterval <= 0:
		return errors.New("-duration and -kill_interval must be above 0")
	case s.verifyOnly && s.db == "":
		return errors.New("-verification_only needs -db")
	case s.filterURI == random:
		return nil
	}
	_, err := pebblefilter.Parse(s.filterURI)
	return err
}

// expectedFile is where the expected state of the store in a directory is.
func expectedFile(db string) string { return filepath.Clean(db) + ".expected" }
