package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/simdbloom/simdbloom/bench/internal/command"
)

// settings are the flags. Those from keys on are not RocksDB's.
type settings struct {
	impl                    string
	bitsPerKey              float64
	averageKeysPerFilter    uint
	varyKeyCountRatio       float64
	keySize                 uint
	varyKeyAlignment        bool
	varyKeySizeLog2Interval uint
	batchSize               uint
	mQueries                float64
	mKeysTotalMax           float64
	workingMemSizeMB        float64
	allowBadFPRate          bool
	netIncludesHashing      bool
	newBuilder              bool
	quick                   bool
	bestCase                bool
	runs                    uint
	seed                    uint
	legend                  bool

	keys  string
	json  bool
	table bool
	rows  []string // the policies to compare

	policy filterPolicy      // of -impl and -bits_per_key
	values map[string]string // of all flags
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("filter_bench", flag.ContinueOnError)
	flags.StringVar(&s.impl, "impl", "1", "`filter`: "+implList()+", or a policy's name, such as simdbloom.Paired. RocksDB has 0 to 2")
	flags.Float64Var(&s.bitsPerKey, "bits_per_key", 10, "bits per key setting for filters; Ribbon filters take less, for the rate of a Bloom filter of that setting")
	flags.UintVar(&s.averageKeysPerFilter, "average_keys_per_filter", 10000, "average number of keys per filter")
	flags.Float64Var(&s.varyKeyCountRatio, "vary_key_count_ratio", 0.4,
		"vary the number of keys by up to +/- this ratio of average_keys_per_filter")
	flags.UintVar(&s.keySize, "key_size", 24, "number of bytes of a key, at least 8")
	flags.BoolVar(&s.varyKeyAlignment, "vary_key_alignment", true, "vary the alignment of keys")
	flags.UintVar(&s.varyKeySizeLog2Interval, "vary_key_size_log2_interval", 5,
		"use the same key size 2^n times, then another one. As in RocksDB's code, sizes are key_size to key_size+4, "+
			"and key_size-2 for all keys if n >= 30")
	flags.UintVar(&s.batchSize, "batch_size", 8, "number of keys in each batch")
	flags.Float64Var(&s.mQueries, "m_queries", 200, "millions of queries for each test mode")
	flags.Float64Var(&s.mKeysTotalMax, "m_keys_total_max", 0,
		"most keys added to filters, in millions; above 0 it replaces working_mem_size_mb")
	flags.Float64Var(&s.workingMemSizeMB, "working_mem_size_mb", 200,
		"MB of memory to get up to among all filters, unless m_keys_total_max is given")
	flags.BoolVar(&s.allowBadFPRate, "allow_bad_fp_rate", false, "continue even if the false-positive rate is bad")
	flags.BoolVar(&s.netIncludesHashing, "net_includes_hashing", false,
		"let net ns/op of queries include hashing (else the dry run does); build times always include it")
	flags.BoolVar(&s.newBuilder, "new_builder", false, "create a new builder for each filter")
	flags.BoolVar(&s.quick, "quick", false, "run a more limited set of tests, with fewer queries")
	flags.BoolVar(&s.bestCase, "best_case", false, "run limited tests only for the best case")
	flags.UintVar(&s.runs, "runs", 1, "number of times to rebuild and run the tests")
	flags.UintVar(&s.seed, "seed", 0, "seed of the random number generator")
	flags.BoolVar(&s.legend, "legend", false, "print how to read the results instead of running tests")
	flags.StringVar(&s.keys, "keys", "", "take the keys from a `file`, one in a line, instead of making them up")
	command.JSON(flags, &s.json)
	flags.BoolVar(&s.table, "table", false,
		"compare policies over the same real keys, those of -keys or the lines of Go's own source tree")
	const usage = "filter_bench [-quick] [OTHER OPTIONS]\n" +
		"       filter_bench -table [-keys=FILE] [-m_queries=M] [-json] [POLICY:BITS_PER_KEY ...]"
	err := command.Parse(flags, args, usage, stderr)
	if err != nil {
		return nil, fmt.Errorf("%w (-help lists the flags)", err)
	}
	s.keys = command.Path(s.keys)
	s.rows = flags.Args()
	s.values = make(map[string]string)
	flags.VisitAll(func(f *flag.Flag) { s.values[f.Name] = f.Value.String() })
	var set []string
	flags.Visit(func(f *flag.Flag) { set = append(set, f.Name) })
	if err := s.check(set); err != nil || s.table {
		return s, err
	}
	s.policy, err = s.parsePolicy(stderr)
	return s, err
}

// check returns an error for invalid settings. It gets the names of the flags that were set.
func (s *settings) check(set []string) error {
	if s.table {
		for _, name := range set {
			if !slices.Contains([]string{"table", "keys", "m_queries", "json"}, name) {
				return fmt.Errorf("-%s has no meaning with -table", name)
			}
		}
	} else if len(s.rows) > 0 {
		return fmt.Errorf("%q is not a flag", strings.Join(s.rows, " "))
	}
	within := func(x, least, most float64) bool { return x >= least && x <= most }
	const (
		one                          = 1e-6 // in millions
		most                         = 1e9
		mostKeys                     = 1 << 30
		mostKeyBytes, mostBatchBytes = 1 << 20, 1 << 30
	)
	switch {
	case !within(s.varyKeyCountRatio, 0, 1):
		return errors.New("-vary_key_count_ratio must be >= 0.0 and <= 1.0")
	case !within(float64(s.averageKeysPerFilter), 1, mostKeys):
		return fmt.Errorf("-average_keys_per_filter must be 1 to %d", mostKeys)
	case s.keySize > mostKeyBytes:
		return fmt.Errorf("-key_size must be at most %d", mostKeyBytes)
	case !within(float64(s.batchSize), 1, mostKeyBytes) || float64(s.batchSize)*float64(s.keySize) > mostBatchBytes:
		return fmt.Errorf("-batch_size must be 1 to %d, and such keys at most %d bytes", mostKeyBytes, mostBatchBytes)
	case !within(s.bitsPerKey, 0.5, math.MaxFloat64):
		return errors.New("-bits_per_key must be a number of at least 0.5")
	case !within(s.mQueries, one, most):
		return fmt.Errorf("-m_queries must be %v to %v", one, most)
	case s.mKeysTotalMax != 0 && !within(s.mKeysTotalMax, one, most):
		return fmt.Errorf("-m_keys_total_max must be 0 or %v to %v", one, most)
	case !within(s.workingMemSizeMB, 0, most):
		return fmt.Errorf("-working_mem_size_mb must be 0 to %v", most)
	case s.mKeysTotalMax == 0 && s.workingMemSizeMB == 0 && s.keys == "":
		return errors.New("-working_mem_size_mb=0 needs -m_keys_total_max or -keys: filters would be built for ever")
	case s.seed > math.MaxUint32:
		return errors.New("-seed must fit 32 bits")
	}
	return nil
}
