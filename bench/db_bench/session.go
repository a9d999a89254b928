package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/progress"
	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/bench/internal/store"
)

// session runs the benchmarks on a store.
type session struct {
	settings *settings
	ctx      context.Context
	w        io.Writer // of the text
	output   *output
	db       *database
	threads  int    // that ran so far
	totals   totals // of all benchmarks so far
}

// run runs all, and removes the store if it is temporary.
func (r *session) run() (err error) {
	if r.settings.seed == 0 {
		r.settings.seed = time.Now().UnixMicro()
		fmt.Fprintf(r.w, "Set seed to %d because --seed was 0\n", r.settings.seed)
	}
	r.output.Seed = r.settings.seed
	if r.db, err = openDatabase(r.settings); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.db.finish()) }()
	r.printHeader()
	if r.settings.copyOf != "" {
		if err := r.copyTables(); err != nil {
			return fmt.Errorf("-copy_of: %w", err)
		}
	}
	for _, b := range r.settings.benchmarks {
		if err := r.benchmark(b); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
	}
	if err := context.Cause(r.ctx); err != nil {
		return err
	}
	if r.output.Store, err = store.Describe(r.db.DB); err != nil {
		return err
	}
	r.output.Tickers, r.output.Memory, r.output.Background = r.tickers(), r.memory(), r.background()
	if r.settings.statistics {
		r.printStatistics()
	}
	return nil
}

// benchmark runs one, and reports on it.
func (r *session) benchmark(b *benchmark) error {
	if err := context.Cause(r.ctx); err != nil {
		return err
	}
	if b.once != nil {
		return b.once(r)
	}
	if b.fresh {
		if r.settings.useExistingDB || r.settings.copyOf != "" {
			why := "--use_existing_db is true"
			if r.settings.copyOf != "" {
				why = "--copy_of is given"
			}
			fmt.Fprintf(r.w, "%-12s : skipped (%s)\n", b.name, why)
			r.output.Results = append(r.output.Results, &result{Benchmark: results.Benchmark{Name: b.name, Skipped: true}})
			return nil
		}
		if err := r.db.renew(); err != nil {
			return err
		}
	}
	fmt.Fprintf(r.w, "DB path: [%s]\n", r.db.dir)
	w := newWork(b, r.settings, r.db)
	if b.lookups {
		// The tables of now are those whose data and filter blocks are told from others.
		var err error
		if w.tables, err = store.Describe(r.db.DB); err != nil {
			return err
		}
		r.db.fs.Know(w.tables)
	}
	r.db.fitCache(w.writer || !b.lookups)
	before := r.db.sum()
	done, err := r.do(w)
	if err != nil {
		return err
	}
	result := newResult(w, done, r.db.sum().sub(before))
	r.totals.add(b, result)
	r.output.Results = append(r.output.Results, result)
	result.print(r.w, r.settings)
	return nil
}

// do runs the threads, or the one thing that the benchmark is.
func (r *session) do(w *work) (*stats, error) {
	if w.whole == nil {
		first := r.threads
		r.threads += r.settings.threads + 1
		return w.do(r.ctx, first)
	}
	done := &stats{histogram: newHistogram(r.settings.histogram)}
	done.start()
	err := w.whole(r.ctx, r)
	done.add(1, 0)
	done.stop()
	return done, err
}

// compactAll compacts the whole store. How far it is, is an estimate: the bytes that were
// written, of those in tables.
func compactAll(ctx context.Context, r *session) error {
	if err := r.db.Flush(); err != nil {
		return err
	}
	begin, end, err := r.db.bounds()
	if err != nil || end == nil {
		return err
	}
	const unit = 1 << 20
	first := metricsOf(r.db.DB)
	bar := progress.Start(r.settings.stderr, "compact", int(first.tableBytes/unit)+1)
	defer bar.Done()
	defer every(time.Second/10, func() { bar.To(int((metricsOf(r.db.DB).compactWritten - first.compactWritten) / unit)) })()
	err = r.db.Compact(ctx, begin, end, true)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

func flush(r *session) error {
	if err := r.db.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(r.w, "flush memtable")
	return err
}

func waitForCompaction(r *session) error {
	fmt.Fprintf(r.w, "waitforcompaction(%s): started\n", r.db.dir)
	err := store.Settle(r.ctx, r.db.DB)
	status := "OK"
	if err != nil {
		status = err.Error()
	}
	fmt.Fprintf(r.w, "waitforcompaction(%s): finished with status (%s)\n", r.db.dir, status)
	return err
}

func (r *session) printHeader() {
	s, w := r.settings, r.w
	const mb = 1 << 20
	compressed := float64(s.valueSize)*s.compressionRatio + 0.5
	fmt.Fprintf(w, "Pebble:     version %s, filters by simdbloom\n", r.output.Pebble)
	fmt.Fprintf(w, "Date:       %s\n", time.Now().Format(time.ANSIC))
	fmt.Fprintf(w, "CPU:        %d * %s\n", r.output.Machine.CPUs, r.output.Machine.Processor())
	fmt.Fprintf(w, "Machine:    %s\n", r.output.Machine)
	fmt.Fprintf(w, "Keys:       %d bytes each (+ 0 bytes user-defined timestamp)\n", s.keySize)
	fmt.Fprintf(w, "Values:     %d bytes each (%d bytes after compression)\n", s.valueSize, int(compressed))
	fmt.Fprintf(w, "Entries:    %d\n", s.num)
	fmt.Fprintf(w, "Prefix:    %d bytes\n", s.prefixSize)
	fmt.Fprintf(w, "Keys per prefix:    %d\n", s.keysPerPrefix)
	fmt.Fprintf(w, "RawSize:    %.1f MB (estimated)\n", float64(int64(s.keySize+s.valueSize)*s.num)/mb)
	fmt.Fprintf(w, "FileSize:   %.1f MB (estimated)\n", (float64(s.keySize)+float64(s.valueSize)*s.compressionRatio)*float64(s.num)/mb)
	fmt.Fprintf(w, "Write rate: 0 bytes/second\nRead rate: 0 ops/second\n")
	fmt.Fprintf(w, "Compression: %s\n", s.compressionType)
	fmt.Fprintf(w, "Filter:     %s\n", s.describeFilter())
	fmt.Fprintf(w, "Gets:       %s\n", s.describeGets())
	for _, note := range s.notes {
		fmt.Fprintf(w, "Note:       %s\n", note)
	}
	fmt.Fprintln(w, strings.Repeat("-", 48))
}

func (s *settings) describeFilter() string {
	if !s.filtered() {
		return "none (-filter_uri or -bloom_bits chooses one)"
	}
	text := fmt.Sprintf("%s, recorded as %s", s.filter, s.policies[0].Name())
	if s.prefixSize > 0 {
		text += fmt.Sprintf(", of prefixes of %d bytes", s.prefixSize)
	}
	return text
}

func (s *settings) describeGets() string {
	if s.l6Filters {
		return "iterators and GetMany, which also query the filters of L6 (-l6_filters=false: Pebble's DB.Get)"
	}
	return "Pebble's DB.Get, which never queries the filters of L6 (-l6_filters: iterators and GetMany)"
}
