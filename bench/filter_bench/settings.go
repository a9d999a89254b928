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
	"github.com/simdbloom/simdbloom/internal/test/measured"
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
	table bool
	rows  []string // the policies to compare

	policy filterPolicy // of -impl and -bits_per_key
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("filter_bench", flag.ContinueOnError)
	const (
		one, most                    = 1e-6, 1e9 // in millions
		mostKeyBytes, mostBatchBytes = 1 << 20, 1 << 30
	)
	flags.StringVar(&s.impl, "impl", "1", "`filter`: "+implList()+", or a policy's name, such as simdbloom.Paired. RocksDB has 0 to 2")
	command.Number(flags, &s.bitsPerKey, "bits_per_key", 10, 0.5, math.MaxFloat64,
		"`bits` per key setting for filters; Ribbon filters take less, for the rate of a Bloom filter of that setting")
	command.Number(flags, &s.averageKeysPerFilter, "average_keys_per_filter", 10000, 1, 1<<30, "average `number` of keys per filter")
	command.Number(flags, &s.varyKeyCountRatio, "vary_key_count_ratio", 0.4, 0, 1,
		"vary the number of keys by up to +/- this `ratio` of average_keys_per_filter")
	command.Number(flags, &s.keySize, "key_size", 24, 0, mostKeyBytes, "number of `bytes` of a key, at least 8")
	flags.BoolVar(&s.varyKeyAlignment, "vary_key_alignment", true, "vary the alignment of keys")
	flags.UintVar(&s.varyKeySizeLog2Interval, "vary_key_size_log2_interval", 5,
		"use the same key size 2^`n` times, then another one. As in RocksDB's code, sizes are key_size to key_size+4, "+
			"and key_size-2 for all keys if n >= 30")
	command.Number(flags, &s.batchSize, "batch_size", 8, 1, mostKeyBytes, "`number` of keys in each batch")
	command.Number(flags, &s.mQueries, "m_queries", 200, one, most, "`millions` of queries for each test mode")
	command.Number(flags, &s.mKeysTotalMax, "m_keys_total_max", 0, 0, most,
		"most keys added to filters, in `millions`; above 0 it replaces working_mem_size_mb")
	command.Number(flags, &s.workingMemSizeMB, "working_mem_size_mb", 200, 0, most,
		"`MB` of memory to get up to among all filters, unless m_keys_total_max is given")
	flags.BoolVar(&s.allowBadFPRate, "allow_bad_fp_rate", false, "continue even if the false-positive rate is bad")
	flags.BoolVar(&s.netIncludesHashing, "net_includes_hashing", false,
		"let net ns/op of queries include hashing (else the dry run does); build times always include it")
	flags.BoolVar(&s.newBuilder, "new_builder", false, "create a new builder for each filter")
	flags.BoolVar(&s.quick, "quick", false, "run a more limited set of tests, with fewer queries")
	flags.BoolVar(&s.bestCase, "best_case", false, "run limited tests only for the best case")
	flags.UintVar(&s.runs, "runs", 1, "`number` of times to rebuild and run the tests")
	command.Number(flags, &s.seed, "seed", 0, 0, math.MaxUint32, "`seed` of the random number generator")
	flags.BoolVar(&s.legend, "legend", false, "print how to read the results instead of running tests")
	flags.BoolVar(&s.table, "table", false,
		"compare policies over the same real keys, those of -keys or the lines of Go's own source tree")
	measured.File(flags, &s.keys, "keys", "the keys of -table are the lines of a `file`")
	const usage = "filter_bench [-quick] [OTHER OPTIONS]\n" +
		"       filter_bench -table [-keys=FILE] [-m_queries=M] [POLICY:BITS_PER_KEY ...]"
	if err := command.ParseWithArguments(flags, args, usage, stderr); err != nil {
		return nil, err
	}
	s.rows = flags.Args()
	var misplaced []string
	flags.Visit(func(f *flag.Flag) {
		if s.table != slices.Contains([]string{"table", "keys"}, f.Name) && f.Name != "m_queries" {
			misplaced = append(misplaced, "-"+f.Name)
		}
	})
	switch {
	case !s.table && len(s.rows) > 0:
		return nil, fmt.Errorf("%q is not a flag", strings.Join(s.rows, " "))
	case misplaced != nil && s.table:
		return nil, fmt.Errorf("%s has no meaning with -table", strings.Join(misplaced, " "))
	case misplaced != nil:
		return nil, fmt.Errorf("%s has no meaning without -table", strings.Join(misplaced, " "))
	case float64(s.batchSize)*float64(s.keySize) > mostBatchBytes:
		return nil, fmt.Errorf("-batch_size: such keys must be at most %d bytes", mostBatchBytes)
	case s.mKeysTotalMax != 0 && s.mKeysTotalMax < one:
		return nil, errors.New("-m_keys_total_max must be 0 or a key at least")
	case s.mKeysTotalMax == 0 && s.workingMemSizeMB == 0:
		return nil, errors.New("-working_mem_size_mb=0 needs -m_keys_total_max: filters would be built for ever")
	case s.table:
		return s, nil
	}
	var err error
	s.policy, err = s.parsePolicy()
	return s, err
}
