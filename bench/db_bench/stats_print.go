package main

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/bench/internal/store"
)

// printStats prints what RocksDB's property rocksdb.stats has of which Pebble knows, and then
// Pebble's own metrics.
func printStats(r *session) error {
	d, err := store.Describe(r.db.DB)
	if err != nil {
		return err
	}
	const gb, mb = 1 << 30, 1 << 20
	m := r.db.Metrics()
	fmt.Fprintln(r.w, "\n** Compaction Stats [default] **")
	fmt.Fprintf(r.w, "%-6s %6s %10s %6s %9s %10s %9s %6s\n", "Level", "Files", "Size", "Score", "Read(GB)", "Write(GB)", "Moved(GB)", "W-Amp")
	line := func(name string, l *pebble.LevelMetrics, writeAmp float64) {
		fmt.Fprintf(r.w, "%5s  %6d %7.2f MB %6.1f %9.3f %10.3f %9.3f %6.1f\n", name, l.TablesCount, float64(l.TablesSize)/mb, l.Score,
			float64(l.TableBytesRead)/gb, float64(l.TableBytesCompacted+l.TableBytesFlushed)/gb, float64(l.TableBytesMoved)/gb, writeAmp)
	}
	var sum pebble.LevelMetrics
	for i := range m.Levels {
		level := &m.Levels[i]
		line(fmt.Sprintf("L%d", i), level, level.WriteAmp())
		sum.Add(level)
	}
	total := m.Total() // which has the write-ahead log, too
	line("Sum", &sum, total.WriteAmp())
	fmt.Fprintf(r.w, "Uptime(secs): %.1f total\n", m.Uptime.Seconds())
	fmt.Fprintf(r.w, "Flush(GB): cumulative %.3f\n", float64(sum.TableBytesFlushed)/gb)
	fmt.Fprintf(r.w, "Block cache capacity: %.2f MB usage: %.2f MB entries: %d\n",
		float64(r.settings.cacheSize)/mb, float64(m.BlockCache.Size)/mb, m.BlockCache.Count)
	fmt.Fprintf(r.w, "Filters of all tables: %.2f MB\n", float64(d.FilterBytes)/mb)
	fmt.Fprintf(r.w, "\n** DB Stats **\nCumulative WAL: %.2f GB written, %.2f GB of batches\n",
		float64(m.WAL.BytesWritten)/gb, float64(m.WAL.BytesIn)/gb)
	_, err = fmt.Fprintf(r.w, "\n** Pebble's metrics **\n%s\n", m)
	return err
}

// printLevelStats prints RocksDB's property rocksdb.levelstats.
func printLevelStats(r *session) error {
	fmt.Fprintln(r.w, "\nLevel Files Size(MB)\n--------------------")
	for i, level := range r.db.Metrics().Levels {
		fmt.Fprintf(r.w, "%3d %8d %8.0f\n", i, level.TablesCount, float64(level.TablesSize)/(1<<20))
	}
	_, err := fmt.Fprintln(r.w)
	return err
}
