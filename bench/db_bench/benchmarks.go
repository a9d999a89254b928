package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// benchmark is one of -benchmarks.
type benchmark struct {
	name  string
	about string
	kind  string // of its operations, as RocksDB calls them
	fresh bool   // begins with an empty store

	// run is each thread's work. A benchmark without it is no measurement: instead it does
	// something once.
	run  func(t *thread) error
	once func(r *session) error

	prepare  func(w *work) // changes what follows from the flags
	writer   bool          // a thread more writes until the others are done
	timeless bool          // -duration does not apply
	lookups  bool          // looks keys up: filters and reads are reported
	whole    func(ctx context.Context, r *session) error
}

// benchmarks are all, with the names of RocksDB's.
var benchmarks = []*benchmark{
	{name: "fillseq", about: "writes -num keys in order, into an empty store", kind: "write", fresh: true, timeless: true, run: writeInOrder},
	{
		name: "fillbatch", about: "the same, 1000 keys in a batch", kind: "write", fresh: true, timeless: true, run: writeInOrder,
		prepare: func(w *work) { w.batch = 1000 },
	},
	{name: "fillrandom", about: "writes -num random keys, some of them repeatedly, into an empty store", kind: "write", fresh: true, run: writeRandom},
	{
		name: "filllevels", about: "ingests tables into an empty store: -num keys in L6, every 10th in L5, every 100th in L4, every 1000th in L3; " +
			"needs -max_bytes_for_level_base=1024 -disable_auto_compactions", kind: "op", fresh: true, whole: fillLevels,
	},
	{name: "overwrite", about: "writes -num random keys", kind: "write", run: writeRandom},
	{name: "readrandom", about: "reads random keys", kind: "read", run: readRandom, lookups: true},
	{
		name: "readmissing", about: "reads keys that are missing: random ones with a byte more", kind: "read", run: readRandom, lookups: true,
		prepare: func(w *work) { w.keys.size++ },
	},
	{name: "readseq", about: "reads keys in order", kind: "read", run: readInOrder, timeless: true},
	{name: "multireadrandom", about: "reads -batch_size random keys at once, by simdbloom.GetMany", kind: "read", run: readMany, lookups: true},
	{name: "seekrandom", about: "seeks random keys, and calls Next -seek_nexts times", kind: "seek", run: seekRandom, lookups: true},
	{
		name: "readwhilewriting", about: "readrandom, while one thread more writes random keys", kind: "read", run: readRandom, lookups: true,
		writer: true,
	},
	{name: "deleterandom", about: "deletes random keys", kind: "delete", run: deleteRandom},
	{name: "compact", about: "compacts the whole store", kind: "op", whole: compactAll},
	{name: "flush", about: "flushes the memtables", once: flush},
	{name: "waitforcompaction", about: "waits until no compaction has run for half a second", once: waitForCompaction},
	{
		name: "stats", about: "prints Pebble's metrics",
		once: func(r *session) error {
			_, err := fmt.Fprintf(r.w, "\n** Pebble's metrics **\n%s\n", r.db.Metrics())
			return err
		},
	},
}

func (s *settings) setBenchmarks(list string) error {
	s.benchmarks = nil
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		i := slices.IndexFunc(benchmarks, func(b *benchmark) bool { return b.name == name })
		if i < 0 {
			return fmt.Errorf("unknown benchmark '%s': there are %s", name, namesOf(benchmarks))
		}
		s.benchmarks = append(s.benchmarks, benchmarks[i])
	}
	return nil
}

func namesOf(list []*benchmark) string {
	var names []string
	for _, b := range list {
		names = append(names, b.name)
	}
	return strings.Join(names, ",")
}

func explainBenchmarks() string {
	var text strings.Builder
	for _, b := range benchmarks {
		fmt.Fprintf(&text, "  %-18s %s\n", b.name, b.about)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
