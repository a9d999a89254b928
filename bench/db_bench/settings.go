package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/bench/internal/command"
	"github.com/simdbloom/simdbloom/bench/internal/filteruri"
	"github.com/simdbloom/simdbloom/bench/internal/pebblefilter"
	"github.com/simdbloom/simdbloom/policy"
)

// settings are the flags. Their names and defaults are RocksDB's, of -filter_uri Speedb's;
// the last four are neither's.
type settings struct {
	benchmarks []*benchmark

	num, reads, writes, deletes int64
	duration, threads           int
	keySize, valueSize          int
	batchSize                   int64
	seekNexts                   int
	reverseIterator             bool
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
	targetFileMultiplier  int
	maxBytesForLevelBase  int64
	level0Trigger         int
	level0Stop            int
	openFiles             int
	maxBackgroundJobs     int
	disableAutoCompaction bool
	compressionType       string
	compressionRatio      float64
	disableWAL, sync      bool

	filterURI       string
	bloomBits       float64
	useRibbonFilter bool

	histogram, statistics, progressReports bool

	readLatency time.Duration
	l6Filters   bool
	json        bool

	stderr   io.Writer
	filter   string                 // the policy's name
	policies [7]pebble.FilterPolicy // of each level; nil for no filters
	values   map[string]string      // of all flags
}

const defaultBenchmarks = "fillseq,fillrandom,overwrite,readrandom,seekrandom,readseq,compact,multireadrandom,readwhilewriting"

// define makes the flags.
func (s *settings) define(flags *flag.FlagSet) {
	flags.Func("benchmarks", "`list` of benchmarks, which run in this order (default "+defaultBenchmarks+"):\n"+explainBenchmarks(),
		s.setBenchmarks)
	flags.Int64Var(&s.num, "num", 1000000, "`number` of keys: benchmarks write, read and delete keys of numbers below it")
	flags.Int64Var(&s.reads, "reads", -1, "`number` of reads or seeks of each thread; below 0, -num")
	flags.Int64Var(&s.writes, "writes", -1, "`number` of writes of each thread; below 0, -num")
	flags.Int64Var(&s.deletes, "deletes", -1, "`number` of deletions of each thread; below 0, -num")
	flags.IntVar(&s.duration, "duration", 0, "`seconds` that each benchmark with random keys takes; 0: -reads, -writes and -deletes decide")
	command.Threads(flags, &s.threads, 1)
	flags.IntVar(&s.keySize, "key_size", 16, "`bytes` of a key")
	flags.IntVar(&s.valueSize, "value_size", 100, "`bytes` of a value")
	flags.Int64Var(&s.batchSize, "batch_size", 1, "`number` of keys in a write or deletion, and that multireadrandom looks up at once")
	flags.IntVar(&s.seekNexts, "seek_nexts", 0, "`number` of times that seekrandom calls Next after a seek")
	flags.BoolVar(&s.reverseIterator, "reverse_iterator", false, "call Prev instead of Next after a seek; not with -prefix_size")
	flags.Int64Var(&s.seed, "seed", 0, "`seed` of all random numbers; 0: from the time")
	flags.IntVar(&s.prefixSize, "prefix_size", 0, "`bytes` of a key's prefix; above 0, filters have the keys' prefixes, and seekrandom seeks in a prefix")
	flags.Int64Var(&s.keysPerPrefix, "keys_per_prefix", 0, "average `number` of keys of each prefix; 0: the prefix is what the key begins with")
	flags.BoolVar(&s.seekMissingPrefix, "seek_missing_prefix", false, "seekrandom seeks prefixes that no key has; for a -prefix_size above 8")
	flags.StringVar(&s.db, "db", "", "`directory` of the store, which is empty or does not exist, or has a store for -use_existing_db; it is kept. "+
		"(default a temporary one, which is removed)")
	flags.BoolVar(&s.useExistingDB, "use_existing_db", false, "open the store that -db has; benchmarks that want an empty one are skipped")
	flags.Int64Var(&s.cacheSize, "cache_size", 32<<20, "`bytes` of the block cache, which filters are in, too")
	flags.IntVar(&s.blockSize, "block_size", 4096, "`bytes` of a data block")
	flags.Int64Var(&s.writeBufferSize, "write_buffer_size", 64<<20, "`bytes` of a memtable")
	flags.IntVar(&s.maxWriteBufferNumber, "max_write_buffer_number", 2, "`number` of memtables, at which writes wait")
	flags.Int64Var(&s.targetFileSizeBase, "target_file_size_base", 64<<20, "`bytes` of a table in the first level below L0")
	flags.IntVar(&s.targetFileMultiplier, "target_file_size_multiplier", 1, "`factor` from a level's tables to the next one's")
	flags.Int64Var(&s.maxBytesForLevelBase, "max_bytes_for_level_base", 256<<20, "`bytes` of the first level below L0")
	flags.IntVar(&s.level0Trigger, "level0_file_num_compaction_trigger", 4, "`number` of L0's layers of tables at which it is compacted")
	flags.IntVar(&s.level0Stop, "level0_stop_writes_trigger", 36, "`number` of L0's layers of tables at which writes wait")
	flags.IntVar(&s.openFiles, "open_files", -1, "most open `files`; -1: all")
	flags.IntVar(&s.maxBackgroundJobs, "max_background_jobs", 2, "most `compactions` at once")
	flags.BoolVar(&s.disableAutoCompaction, "disable_auto_compactions", false, "compact only in benchmark compact")
	flags.StringVar(&s.compressionType, "compression_type", "snappy", "`kind` of compression: "+strings.Join(compressionNames(), ", "))
	flags.Float64Var(&s.compressionRatio, "compression_ratio", 0.5, "`share` of their size that values compress to")
	flags.BoolVar(&s.disableWAL, "disable_wal", false, "write no write-ahead log")
	flags.BoolVar(&s.sync, "sync", false, "sync the write-ahead log after each write")
	flags.StringVar(&s.filterURI, "filter_uri", "", "`policy` of the filters: "+pebblefilter.Names+" (default none, unless there are -bloom_bits)")
	flags.Float64Var(&s.bloomBits, "bloom_bits", -1, "`bits` per key of RocksDB's default filter, bloomfilter; 0 or less: none")
	flags.BoolVar(&s.useRibbonFilter, "use_ribbon_filter", false, "let -bloom_bits be of RocksDB's Ribbon filter")
	flags.BoolVar(&s.histogram, "histogram", false, "print histograms of the operations' times")
	flags.BoolVar(&s.statistics, "statistics", false, "print the counters that RocksDB has names for, and memory")
	flags.BoolVar(&s.progressReports, "progress_reports", true, "show how far long benchmarks are")
	flags.StringVar(&s.copyOf, "copy_of", "", "`directory` of another store, which has no deletions: its tables are written again with this store's filters, at "+
		"the same levels (deeper if they overlap nothing there). Benchmarks that want an empty store are skipped")
	flags.DurationVar(&s.readLatency, "read_latency", 0, "`time`, such as 100us, that each read of a block from a table file waits: a slow disk")
	flags.BoolVar(&s.l6Filters, "l6_filters", true, "look keys up in L6's filters, too: Gets are simdbloom.Get, and multireadrandom's batches GetMany; "+
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
		return nil, fmt.Errorf("%w (-help lists the flags; those of RocksDB's that mean nothing for Pebble are not among them)", err)
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag", strings.Join(flags.Args(), " "))
	}
	s.db, s.copyOf = command.Path(s.db), command.Path(s.copyOf)
	s.values = make(map[string]string)
	flags.VisitAll(func(f *flag.Flag) { s.values[f.Name] = f.Value.String() })
	s.values["benchmarks"] = s.benchmarkNames()
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, s.setFilter(stderr)
}

// setFilter finds the levels' filter policies.
func (s *settings) setFilter(stderr io.Writer) error {
	s.filter = cmp.Or(s.filterURI, "none")
	if s.bloomBits > 0 {
		name := "bloomfilter"
		if s.useRibbonFilter {
			name = "ribbonfilter"
		}
		s.filter = fmt.Sprintf("%s:%v", name, s.bloomBits)
	}
	for i := range s.policies {
		level := i
		if level == 0 {
			level = -1 // as RocksDB has it for flushed tables
		}
		var err error
		if s.policies[i], err = pebblefilter.Parse(s.filter, policy.WithLevel(level)); err != nil {
			filteruri.Refuse(s.filter, stderr)
			return err
		}
	}
	return nil
}

// filtered returns whether tables have filters.
func (s *settings) filtered() bool { return s.policies[0] != nil }
