package main

import (
	"fmt"
	"io"

	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/bench/internal/store"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// output is the machine-readable result.
type output struct {
	Machine     measured.Machine    `json:"machine"`
	Pebble      string              `json:"pebble"`
	Settings    map[string]string   `json:"settings"`
	Seed        int64               `json:"seed"`
	CopiedKeys  int64               `json:"copied_keys,omitempty"` // of -copy_of
	CopySeconds float64             `json:"copy_seconds,omitempty"`
	Results     []*result           `json:"results"`
	Store       *store.Description  `json:"store,omitempty"` // at the end
	Tickers     []ticker            `json:"tickers,omitempty"`
	Memory      *results.Memory     `json:"memory,omitempty"`
	Background  *results.Background `json:"background,omitempty"`
	Error       string              `json:"error,omitempty"`
}

func newOutput(s *settings) *output {
	return &output{Machine: measured.Describe(), Pebble: store.PebbleVersion(), Settings: s.values}
}

// result has a benchmark's times.
type result struct {
	results.Benchmark
	Histogram *latencies `json:"histogram,omitempty"`

	work *work
}

func newResult(w *work, done *stats, counted sums) *result {
	seconds := (done.finished - done.begun).Seconds()
	operations := max(1, done.operations)
	r := &result{
		Benchmark: results.Benchmark{
			Name: w.name, Operations: operations, Seconds: seconds, Bytes: done.bytes,
			Micros: done.working.Seconds() * 1e6 / float64(operations), PerSecond: float64(operations) / seconds,
		},
		Histogram: newLatencies(done.histogram), work: w,
	}
	if w.lookups {
		filters := counted.filters
		r.Lookups = &results.Lookups{
			Keys: done.looked, Found: done.found,
			Queried:   filters.Queries() + filters.SeekFiltered + filters.SeekMatches,
			Useful:    filters.Useful + filters.PrefixUseful + filters.SeekFiltered,
			Positives: filters.Positives + filters.PrefixChecked - filters.PrefixUseful + filters.SeekMatches,
			CacheHits: counted.metrics.cacheHits, CacheMisses: counted.metrics.cacheMisses, Reads: counted.reads,
		}
		switch {
		case done.found > 0:
		case w.kind != "seek":
			r.Lookups.FPR = filters.FPR()
		case w.settings.l6Filters && filters.SeekTruePositives == 0:
			r.Lookups.FPR = filters.SeekFPR()
		}
	}
	return r
}

// print writes RocksDB's line, and more about the filters.
func (r *result) print(w io.Writer, s *settings) {
	fmt.Fprintf(w, "%-12s : %11.3f micros/op %d ops/sec %.3f seconds %d operations;", r.Name, r.Micros, int64(r.PerSecond), r.Seconds, r.Operations)
	if r.Bytes > 0 {
		fmt.Fprintf(w, " %6.1f MB/s", float64(r.Bytes)/(1<<20)/r.Seconds)
	}
	if l := r.Lookups; l != nil {
		fmt.Fprintf(w, " (%d of %d found)\n%15s", l.Found, l.Keys, "")
		if s.filtered() {
			fmt.Fprintf(w, "filters queried: %d, useful: %d, positive: %d", l.Queried, l.Useful, l.Positives)
			if l.FPR > 0 {
				fmt.Fprintf(w, ", false-positive rate: %.2g (1 in %.0f)", l.FPR, 1/l.FPR)
			}
			fmt.Fprint(w, "; ")
		}
		fmt.Fprintf(w, "data blocks read: %d, %.4f a key", l.Data, float64(l.Data)/float64(max(1, l.Keys)))
	}
	fmt.Fprintln(w)
	r.printFilterReads(w, s)
	if r.Histogram != nil {
		r.Histogram.print(w, r.work.kind)
	}
}

// printFilterReads writes how many filter blocks were read, if any were. It warns if they are read
// again and again, which makes filters cost more than they save.
func (r *result) printFilterReads(w io.Writer, s *settings) {
	l := r.Lookups
	if l == nil || l.Filter == 0 {
		return
	}
	fmt.Fprintf(w, "%15sfilter blocks read: %d (%.4f a query)\n", "", l.Filter, float64(l.Filter)/float64(max(1, l.Queried)))
	const rare = 100 // queries a read, but for the first one of each filter
	if tables := r.work.tables; rare*(l.Filter-int64(tables.Filters)) > int64(l.Queried) {
		fmt.Fprintf(w, "%15sWARNING: filters do not stay in the block cache, which has %d bytes (-cache_size): filters of %d bytes in %d tables, at most %d in one\n",
			"", s.cacheSize, tables.FilterBytes, tables.Filters, tables.LargestFilter)
	}
}
