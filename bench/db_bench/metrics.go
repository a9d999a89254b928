package main

import (
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/bench/internal/store"
	"github.com/simdbloom/simdbloom/filterblock"
)

// metrics are the metrics of Pebble that db_bench prints: sums since a store was opened.
type metrics struct {
	cacheHits, cacheMisses      int64
	walBytes, flushed           int64
	compactRead, compactWritten int64
	flushing, compacting        time.Duration
	tableBytes, cacheBytes      int64 // of now, and no sums
}

func metricsOf(db *pebble.DB) metrics {
	all := db.Metrics()
	m := metrics{
		cacheHits: all.BlockCache.Hits, cacheMisses: all.BlockCache.Misses, cacheBytes: all.BlockCache.Size,
		walBytes: int64(all.WAL.BytesWritten),
		flushing: all.Flush.WriteThroughput.WorkDuration, compacting: all.Compact.Duration,
	}
	for i := range all.Levels {
		level := &all.Levels[i]
		m.flushed += int64(level.TableBytesFlushed)
		m.compactRead += int64(level.TableBytesRead)
		m.compactWritten += int64(level.TableBytesCompacted)
		m.tableBytes += level.TablesSize
	}
	return m
}

// add returns the sums, with the tables and the cache of more.
func (m metrics) add(more metrics) metrics {
	more.cacheHits += m.cacheHits
	more.cacheMisses += m.cacheMisses
	more.walBytes += m.walBytes
	more.flushed += m.flushed
	more.compactRead += m.compactRead
	more.compactWritten += m.compactWritten
	more.flushing += m.flushing
	more.compacting += m.compacting
	return more
}

// sums are the counts of the store so far, and of the stores before it.
type sums struct {
	metrics metrics
	filters filterblock.Counts
	reads   store.Reads
}

func (d *database) sum() sums {
	return sums{d.past.add(metricsOf(d.DB)), d.counters.Read(), d.fs.Reads()}
}

// sub returns the counts since earlier.
func (s sums) sub(earlier sums) sums {
	s.metrics.cacheHits -= earlier.metrics.cacheHits
	s.metrics.cacheMisses -= earlier.metrics.cacheMisses
	s.filters = s.filters.Sub(earlier.filters)
	s.reads = s.reads.Sub(earlier.reads)
	return s
}
