package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/pebblefilter"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/policy"
)

// settings are the flags. Their names and defaults are RocksDB's, of -filter_uri Speedb's;
// the last five are neither's.
type settings struct {
	benchmarks []*benchmark

	num, reads, writes, deletes int64
	duration, threads           int
	keySize, valueSize          int
	batchSize                   int64
	seekNexts                   int
	seekMissingPrefix           bool
	seed                        int64
	prefixSize                  int
	keysPerPrefix               int64

	db                    string
	useExistingDB         bool
	copyOf                string
	cacheSize             int64
	blockSize             int
	writeBufferSize       int64
	maxWriteBufferNumber  int
	targetFileSizeBase    int64
	maxBytesForLevelBase  int64
	level0Trigger         int
	level0Stop            int
	maxBackgroundJobs     int
	disableAutoCompaction bool
	compressionType       string
	compressionRatio      float64
	disableWAL, sync      bool

	filterURI string
	bloomBits float64
	useRibbon bool
	wholeKeys *bool // -whole_key_filtering, if it is given

	histogram, statistics bool

	readLatency time.Duration
	l6Filters   bool
	json        bool

	stderr   io.Writer
	notes    []string               // about flags, for the header
	filter   string                 // the policy's name
	policies [7]pebble.FilterPolicy // of each level; nil for no filters
	levels   *[7]int64              // numbers of keys, or nil
	values   map[string]string      // of all flags
}

const defaultBenchmarks = "fillseq,fillrandom,overwrite,readrandom,seekrandom,readseq,compact,multireadrandom,readwhilewriting"

// define makes the flags.
func (s *settings) define(flags *flag.FlagSet) {
	const most, mostKeys = math.MaxInt32, 1 << 40
	flags.Func("benchmarks", "`list` of benchmarks, which run in this order (default "+defaultBenchmarks+"):\n"+explainBenchmarks(),
		s.setBenchmarks)
	command.Number(flags, &s.num, "num", 1_000_000, 1, mostKeys, "`number` of keys: benchmarks write, read and delete keys of numbers below it")
	command.Number(flags, &s.reads, "reads", -1, -1, mostKeys, "`number` of reads or seeks of each thread; below 0, -num")
	command.Number(flags, &s.writes, "writes", -1, -1, mostKeys, "`number` of writes of each thread; below 0, -num")
	command.Number(flags, &s.deletes, "deletes", -1, -1, mostKeys, "`number` of deletions of each thread; below 0, -num")
	command.Number(flags, &s.duration, "duration", 0, 0, most, "`seconds` that each benchmark with random keys takes; 0: -reads, -writes and -deletes decide")
	command.Threads(flags, &s.threads, 1)
	command.Number(flags, &s.keySize, "key_size", 16, 1, 1<<16, "`bytes` of a key")
	command.Number(flags, &s.valueSize, "value_size", 100, 0, 1<<30, "`bytes` of a value")
	command.Number(flags, &s.batchSize, "batch_size", 1, 1, 1<<24, "`number` of keys in a write or deletion, and that multireadrandom looks up at once")
	command.Number(flags, &s.seekNexts, "seek_nexts", 0, 0, most, "`number` of times that seekrandom calls Next after a seek")
	flags.Int64Var(&s.seed, "seed", 0, "`seed` of all random numbers; 0: from the time")
	command.Number(flags, &s.prefixSize, "prefix_size", 0, 0, 1<<16, "`bytes` of a key's prefix; above 0, filters have the keys' prefixes, and seekrandom seeks in a prefix")
	command.Number(flags, &s.keysPerPrefix, "keys_per_prefix", 0, 0, mostKeys, "average `number` of keys of each prefix; 0: the prefix is what the key begins with")
	flags.BoolVar(&s.seekMissingPrefix, "seek_missing_prefix", false, "seekrandom seeks prefixes that no key has; for a -prefix_size above 8")
	measured.File(flags, &s.db, "db", "`directory` of the store, which is empty or does not exist, or has a store for -use_existing_db; it is kept. "+
		"(default a temporary one in $TEST_TMPDIR or the system's folder, which is removed)")
	flags.BoolVar(&s.useExistingDB, "use_existing_db", false, "open the store that -db has; benchmarks that want an empty one are skipped")
	command.Number(flags, &s.cacheSize, "cache_size", 32<<20, 0, 1<<50, "`bytes` of the block cache, which filters are in, too")
	command.Number(flags, &s.blockSize, "block_size", 4096, 64, 1<<26, "`bytes` of a data block")
	command.Number(flags, &s.writeBufferSize, "write_buffer_size", 64<<20, 1<<16, math.MaxUint32-1, "`bytes` of a memtable")
	command.Number(flags, &s.maxWriteBufferNumber, "max_write_buffer_number", 2, 0, most, "`number` of memtables, at which writes wait; below 2 it is 2, as in RocksDB")
	command.Number(flags, &s.targetFileSizeBase, "target_file_size_base", 64<<20, 1<<10, 1<<40, "`bytes` of a table")
	command.Number(flags, &s.maxBytesForLevelBase, "max_bytes_for_level_base", 256<<20, 1<<10, 1<<50, "`bytes` of the first level below L0")
	command.Number(flags, &s.level0Trigger, "level0_file_num_compaction_trigger", 4, 1, most, "`number` of L0's layers of tables at which it is compacted")
	command.Number(flags, &s.level0Stop, "level0_stop_writes_trigger", 36, 1, most, "`number` of L0's layers of tables at which writes wait")
	command.Number(flags, &s.maxBackgroundJobs, "max_background_jobs", 2, 1, 1024, "most `compactions` at once")
	flags.BoolVar(&s.disableAutoCompaction, "disable_auto_compactions", false, "compact only in benchmark compact")
	flags.StringVar(&s.compressionType, "compression_type", "snappy", "`kind` of compression: "+strings.Join(compressionNames(), ", "))
	command.Number(flags, &s.compressionRatio, "compression_ratio", 0.5, 0.01, 1, "`share` of their size that values compress to")
	flags.BoolVar(&s.disableWAL, "disable_wal", false, "write no write-ahead log")
	flags.BoolVar(&s.sync, "sync", false, "sync the write-ahead log after each write")
	flags.StringVar(&s.filterURI, "filter_uri", "", "`policy` of the filters: "+pebblefilter.Names+" (default none, unless there are -bloom_bits)")
	flags.Float64Var(&s.bloomBits, "bloom_bits", -1, "`bits` per key, appended to -filter_uri, or without it those of RocksDB's default filter, bloomfilter; 0 or less: none")
	flags.BoolVar(&s.useRibbon, "use_ribbon_filter", false, "without -filter_uri, -bloom_bits are those of RocksDB's Ribbon filter, ribbonfilter")
	flags.BoolFunc("whole_key_filtering", "only true without -prefix_size, and false with it: filters have whole keys, or prefixes", func(text string) error {
		is, err := strconv.ParseBool(text)
		s.wholeKeys = &is
		return err
	})
	s.defineFixed(flags)
	flags.BoolVar(&s.histogram, "histogram", false, "print histograms of the operations' times")
	flags.BoolVar(&s.statistics, "statistics", false, "print the counters that RocksDB has names for, and memory")
	flags.Func("keys_by_level", "`numbers` of keys in L0 to L6, separated by commas: bits per key by level, in the memory of -filter_uri in every level", s.setKeysByLevel)
	measured.File(flags, &s.copyOf, "copy_of", "`directory` of another store, which has no deletions: its tables are written again with this store's filters, at "+
		"the same levels (deeper if they overlap nothing there). Benchmarks that want an empty store are skipped")
	flags.DurationVar(&s.readLatency, "read_latency", 0, "`time`, such as 100us, that each read of a block from a table file waits: a slow disk")
	flags.BoolVar(&s.l6Filters, "l6_filters", true, "look keys up in L6's filters, too: a Get opens an iterator, and multireadrandom's batches are GetMany's; "+
		"false: Gets are Pebble's DB.Get, key by key")
	command.JSON(flags, &s.json)
}

func parseSettings(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{stderr: stderr}
	if err := s.setBenchmarks(defaultBenchmarks); err != nil {
		panic(err) // the defaults are this program's own
	}
	flags := flag.NewFlagSet("db_bench", flag.ContinueOnError)
	s.define(flags)
	if err := command.Parse(flags, args, "db_bench [OPTIONS]", stderr); err != nil {
		return nil, err
	}
	s.compressionType = strings.ToLower(s.compressionType)
	if s.maxWriteBufferNumber < 2 {
		s.note("-max_write_buffer_number=%d: 2, as in RocksDB", s.maxWriteBufferNumber)
		s.maxWriteBufferNumber = 2
	}
	s.values = make(map[string]string)
	flags.VisitAll(func(f *flag.Flag) {
		if text := f.Value.String(); text != "" || f.Name == "db" || f.Name == "copy_of" || f.Name == "filter_uri" {
			s.values[f.Name] = text
		}
	})
	s.values["benchmarks"] = namesOf(s.benchmarks)
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, s.setFilter()
}

// check returns an error for settings that do not go together.
func (s *settings) check() error {
	switch bytes := s.keys().numberBytes(); {
	case s.prefixSize > s.keySize:
		return fmt.Errorf("-prefix_size must be at most %d, the -key_size", s.keySize)
	case s.keysPerPrefix > 0 && s.prefixSize == 0:
		return errors.New("-keys_per_prefix needs a -prefix_size")
	case s.keysPerPrefix > s.num:
		return fmt.Errorf("-keys_per_prefix must be at most %d, the -num", s.num)
	case bytes < 8 && s.num > 1<<(8*bytes):
		return fmt.Errorf("-key_size=%d leaves %d bytes for a key's number, too few for %d keys", s.keySize, bytes, s.num)
	case s.wholeKeys != nil && *s.wholeKeys != (s.prefixSize == 0):
		return fmt.Errorf("-whole_key_filtering=%t: Pebble's filters have whole keys without -prefix_size, and only prefixes with it", *s.wholeKeys)
	case s.seekMissingPrefix && s.prefixSize <= 8:
		return errors.New("-seek_missing_prefix needs a -prefix_size above 8")
	case s.level0Stop < s.level0Trigger:
		return errors.New("-level0_stop_writes_trigger must be at least -level0_file_num_compaction_trigger")
	case compressions[s.compressionType] == nil:
		return fmt.Errorf("-compression_type=%s: Pebble has only %v", s.compressionType, compressionNames())
	case s.disableWAL && s.sync:
		return errors.New("-sync needs the write-ahead log, which -disable_wal switches off")
	case s.useExistingDB && s.db == "":
		return errors.New("-use_existing_db needs -db")
	case s.copyOf != "" && s.useExistingDB:
		return errors.New("-copy_of makes a new store: leave out -use_existing_db")
	case s.readLatency < 0:
		return errors.New("-read_latency must not be below 0")
	}
	return nil
}

// setFilter finds the levels' filter policies.
func (s *settings) setFilter() (err error) {
	name := s.filterURI
	if name == "" && s.useRibbon && s.bloomBits > 0 {
		name = "ribbonfilter"
	}
	if s.filter, err = pebblefilter.WithBits(name, s.bloomBits); err != nil {
		return err
	}
	s.filter = cmp.Or(s.filter, "none")
	if s.levels != nil {
		p, err := pebblefilter.Policy(s.filter)
		if err == nil {
			s.policies = simdbloom.ByLevel(p, *s.levels)
		}
		return err
	}
	for i := range s.policies {
		level := i
		if level == 0 {
			level = -1 // as RocksDB has it for flushed tables
		}
		if s.policies[i], err = pebblefilter.Parse(s.filter, policy.WithLevel(level)); err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) setKeysByLevel(list string) error {
	s.levels = new([7]int64)
	numbers := strings.Split(list, ",")
	if len(numbers) != len(s.levels) {
		return fmt.Errorf("%d numbers, not %d", len(numbers), len(s.levels))
	}
	for i, text := range numbers {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			return err
		}
		s.levels[i] = int64(n)
	}
	return nil
}

// filtered returns whether tables have filters.
func (s *settings) filtered() bool { return s.policies[0] != nil }

// keys are the keys of the settings.
func (s *settings) keys() keyMaker {
	k := keyMaker{size: s.keySize, prefix: s.prefixSize}
	if s.keysPerPrefix > 0 {
		k.prefixes = s.num / s.keysPerPrefix
	}
	return k
}

// orNum is -reads, -writes or -deletes.
func (s *settings) orNum(n int64) int64 {
	if n < 0 {
		return s.num
	}
	return n
}
