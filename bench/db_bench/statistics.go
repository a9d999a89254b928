package main

import (
	"fmt"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/bench/internal/results"
)

// totals are the sums of all benchmarks, without the writes of readwhilewriting.
type totals struct {
	written, read, found, bytesWritten, bytesRead int64
	seeks, seeksFound                             int64
}

func (t *totals) add(b *benchmark, r *result) {
	switch {
	case b.kind == "write" || b.kind == "delete":
		t.written += r.Operations
		t.bytesWritten += r.Bytes
	case r.Lookups == nil:
	case b.kind == "seek":
		t.seeks += r.Lookups.Keys
		t.seeksFound += r.Lookups.Found
	default:
		t.read += r.Lookups.Keys
		t.found += r.Lookups.Found
		t.bytesRead += r.Bytes
	}
}

// ticker is a counter with RocksDB's name.
type ticker struct {
	Name  string `json:"name"`
	Count uint64 `json:"count"`
}

// tickers are the counters that RocksDB and Pebble have, or this program.
func (r *session) tickers() []ticker {
	all := r.db.sum()
	m, t := &all.metrics, &r.totals
	var list []ticker
	tick := func(name string, count int64) { list = append(list, ticker{"rocksdb." + name, uint64(count)}) }
	tick("block.cache.miss", m.cacheMisses)
	tick("block.cache.hit", m.cacheHits)
	if r.settings.filtered() {
		f := all.filters
		tick("bloom.filter.useful", int64(f.Useful))
		tick("bloom.filter.full.positive", int64(f.Positives))
		// Seeks count here in Speedb up to 2.7 and RocksDB up to 8.2. Later ones count them by level, which a policy
		// does not know.
		tick("bloom.filter.prefix.checked", int64(f.PrefixChecked+f.SeekFiltered+f.SeekMatches))
		tick("bloom.filter.prefix.useful", int64(f.PrefixUseful+f.SeekFiltered))
		if r.settings.l6Filters {
			tick("bloom.filter.full.true.positive", int64(min(f.Positives, f.TruePositives)))
			tick("bloom.filter.prefix.true.positive", int64(min(f.PrefixChecked-f.PrefixUseful, f.PrefixTruePositives)))
		}
	}
	tick("compact.read.bytes", m.compactRead)
	tick("compact.write.bytes", m.compactWritten)
	tick("flush.write.bytes", m.flushed)
	tick("wal.bytes", m.walBytes)
	tick("number.keys.written", t.written)
	tick("number.keys.read", t.read)
	tick("number.keys.found", t.found)
	tick("number.db.seek", t.seeks)
	tick("number.db.seek.found", t.seeksFound)
	tick("bytes.written", t.bytesWritten)
	tick("bytes.read", t.bytesRead)
	return list
}

func (r *session) memory() *results.Memory {
	return &results.Memory{
		Filters: r.output.Store.FilterBytes, BlockCache: metricsOf(r.db.DB).cacheBytes,
		Process: machine.Resident(), Peak: machine.Peak(),
	}
}

// background is the time of flushes and compactions so far.
func (r *session) background() *results.Background {
	m := r.db.sum().metrics
	return &results.Background{
		FlushSeconds: m.flushing.Seconds(), CompactionSeconds: m.compacting.Seconds(),
		FlushedBytes: m.flushed, CompactedBytes: m.compactWritten,
	}
}

func (r *session) printStatistics() {
	fmt.Fprintln(r.w, "STATISTICS:")
	for _, t := range r.output.Tickers {
		fmt.Fprintf(r.w, "%s COUNT : %d\n", t.Name, t.Count)
	}
	m := r.output.Memory
	fmt.Fprintf(r.w, "\nMEMORY:\nfilters of all tables : %d bytes\nblock cache : %d bytes of %d\nprocess : %d bytes, at most %d\n",
		m.Filters, m.BlockCache, r.settings.cacheSize, m.Process, m.Peak)
	b := r.output.Background
	fmt.Fprintf(r.w, "\nBACKGROUND:\nflushes : %.3f seconds, %d bytes\ncompactions : %.3f seconds, %d bytes\n",
		b.FlushSeconds, b.FlushedBytes, b.CompactionSeconds, b.CompactedBytes)
}
