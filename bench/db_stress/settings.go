package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/pebblefilter"
)

// settings are the flags. The exported ones are for the process that has the store.
type settings struct {
	Threads, MaxKey, OpsPerThread                 int
	Read, Prefix, Write, Del, DelRange, Iter      int // percent
	NumIterations                                 int
	ReadFaultOneIn, CompactRangeOneIn, CacheBytes int
	FilterFileOneIn                               int
	Sync, Fsync                                   bool

	filterURI       string
	bloomBits       float64
	prefixSize      int
	duration        time.Duration
	killInterval    time.Duration
	kills           int
	seed            uint64
	db, expectedDir string
	corruptOneIn    int
	verifyOnly      bool
	verbose         bool
}

// random is the value of -filter_uri, and -1 that of a number, which a run chooses.
const random = "random"

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("db_stress", flag.ContinueOnError)
	flags.IntVar(&s.Threads, "threads", 4, "`number` of threads")
	flags.IntVar(&s.MaxKey, "max_key", 20_000, "`number` of keys. Each thread writes a part of its own, and reads all")
	flags.IntVar(&s.OpsPerThread, "ops_per_thread", 1_000_000_000, "`number` of operations of a thread, after which the store is closed if it was not killed")
	flags.IntVar(&s.Read, "readpercent", 10, "`percent` of operations that read keys: by Pebble's DB.Get, by the adapter's Get, which queries the filters of L6, or several by its GetMany")
	flags.IntVar(&s.Prefix, "prefixpercent", 20, "`percent` of operations that iterate over a prefix; the whole key without prefixes")
	flags.IntVar(&s.Write, "writepercent", 45, "`percent` of operations that put a key, or a batch of keys")
	flags.IntVar(&s.Del, "delpercent", 14, "`percent` of operations that delete a key, or a batch of keys")
	flags.IntVar(&s.DelRange, "delrangepercent", 1, "`percent` of operations that delete a range of up to 16 keys")
	flags.IntVar(&s.Iter, "iterpercent", 10, "`percent` of operations that iterate")
	flags.IntVar(&s.NumIterations, "num_iterations", 20, "`number` of keys that an iteration goes over")
	flags.BoolVar(&s.Sync, "sync", false, "wait for the log in every write, and not in three of four")
	flags.BoolVar(&s.Fsync, "fsync", false, "wait for the disk, too, which makes a difference to a machine's power failure, and none to a kill")
	flags.IntVar(&s.ReadFaultOneIn, "read_fault_one_in", 1000, "a read of a table file fails with an injected error once in this number of `times`; 0: never")
	flags.IntVar(&s.CompactRangeOneIn, "compact_range_one_in", 5000, "an operation compacts a random range instead once in this number of `times`; 0: never")
	flags.IntVar(&s.FilterFileOneIn, "filter_file_one_in", 2000, "an operation writes a filter file instead once in this number of `times`; 0: never")
	flags.IntVar(&s.CacheBytes, "cache_size", 8<<20, "`bytes` of the block cache")
	flags.StringVar(&s.filterURI, "filter_uri", random, "filter `policy` of all levels: "+pebblefilter.Names+"; random: another one for each level and run")
	flags.Float64Var(&s.bloomBits, "bloom_bits", -1, "`bits` per key of random policies; -1: random")
	flags.IntVar(&s.prefixSize, "prefix_size", -1, fmt.Sprintf("`bytes` of a key that go into filters, at most %d; 0: all; -1: random for each store", headBytes))
	flags.DurationVar(&s.duration, "duration", 10*time.Minute, "`time` after which the last store is verified, and the program ends")
	flags.DurationVar(&s.killInterval, "kill_interval", time.Second, "mean `time` from the end of verification until the store is killed")
	flags.IntVar(&s.kills, "kills", 0, "`number` of kills after which the program ends, if -duration is not over before; 0: any number")
	flags.Uint64Var(&s.seed, "seed", 0, "`seed` of all that is chosen at random; 0: a random one, which is printed")
	flags.StringVar(&s.db, "db", "", "`directory` of the store, empty or not there; or one that an earlier run kept, to go on with. Without it, one for temporary files, which is removed if nothing was lost")
	flags.StringVar(&s.expectedDir, "expected_values_dir", "", "`directory` of the expected state (default beside -db)")
	flags.IntVar(&s.corruptOneIn, "corrupt_one_in", 2, "flip bits of filter blocks after a run once in this number of `times`, and restore them after a look at all keys; 0: never")
	flags.BoolVar(&s.verifyOnly, "verification_only", false, "verify the store in -db, and nothing else")
	flags.BoolVar(&s.verbose, "verbose", false, "print what each run is like")
	if err := command.Parse(flags, args, "db_stress [OPTIONS]", stderr); err != nil {
		return nil, fmt.Errorf("%w (%s)", err, whyNot(err))
	}
	if s.seed == 0 {
		s.seed = rand.Uint64()
	}
	s.db, s.expectedDir = command.Path(s.db), command.Path(s.expectedDir)
	return s, s.check(flags.Args())
}

// check returns an error for invalid settings.
func (s *settings) check(arguments []string) error {
	const most = 1 << 30
	if len(arguments) > 0 {
		return fmt.Errorf("%q is not a flag", strings.Join(arguments, " "))
	}
	for _, setting := range []struct {
		name               string
		value, least, most int
	}{
		{"threads", s.Threads, 1, 1000},
		{"max_key", s.MaxKey, s.Threads, 1e9}, // a key for each thread
		{"ops_per_thread", s.OpsPerThread, 0, most},
		{"num_iterations", s.NumIterations, 1, most},
		{"read_fault_one_in", s.ReadFaultOneIn, 0, most},
		{"compact_range_one_in", s.CompactRangeOneIn, 0, most},
		{"filter_file_one_in", s.FilterFileOneIn, 0, most},
		{"cache_size", s.CacheBytes, 0, most},
		{"prefix_size", s.prefixSize, -1, headBytes},
		{"kills", s.kills, 0, most},
		{"corrupt_one_in", s.corruptOneIn, 0, most},
	} {
		if setting.value < setting.least || setting.value > setting.most {
			return fmt.Errorf("-%s must be %d to %d", setting.name, setting.least, setting.most)
		}
	}
	sum := 0
	for _, percent := range s.percents() {
		if percent < 0 {
			return fmt.Errorf("percentages must be at least 0, not %d", percent)
		}
		sum += percent
	}
	switch {
	case sum != 100:
		return fmt.Errorf("the percentages of reads, prefixes, writes, deletions and iterations must add up to 100, not %d", sum)
	case s.duration <= 0 || s.killInterval <= 0:
		return errors.New("-duration and -kill_interval must be above 0")
	case s.bloomBits != -1 && !(s.bloomBits >= 0 && s.bloomBits <= 1000):
		return errors.New("-bloom_bits must be 0 to 1000, or -1")
	case s.verifyOnly && s.db == "":
		return errors.New("-verification_only needs -db")
	}
	if s.filterURI == random {
		return nil
	}
	if s.bloomBits != -1 {
		return errors.New("-bloom_bits is for random policies: -filter_uri has its own bits per key")
	}
	_, err := pebblefilter.Parse(s.filterURI)
	return err
}

func (s *settings) percents() []int {
	return []int{s.Read, s.Prefix, s.Write, s.Del, s.DelRange, s.Iter}
}

// expectedFile is where the expected state of the store in a directory is.
func (s *settings) expectedFile(db string) string {
	if s.expectedDir != "" {
		return filepath.Join(s.expectedDir, "expected")
	}
	return filepath.Clean(db) + ".expected"
}
