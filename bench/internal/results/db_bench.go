package results

import "github.com/simdbloom/simdbloom/bench/internal/store"

// Benchmark has the results of one benchmark of bench/db_bench.
type Benchmark struct {
	Name       string   `json:"name"`
	Skipped    bool     `json:"skipped,omitempty"` // because of -use_existing_db or -copy_of
	Operations int64    `json:"operations"`
	Seconds    float64  `json:"seconds"`
	Micros     float64  `json:"micros_per_op"` // of one thread
	PerSecond  float64  `json:"ops_per_sec"`   // of all
	Bytes      int64    `json:"bytes"`         // of keys and values
	Lookups    *Lookups `json:"lookups,omitempty"`
}

// Lookups count the store's work for lookups.
type Lookups struct {
	Keys  int64 `json:"keys"`
	Found int64 `json:"found"`

	Queried   uint64  `json:"filters_queried"`
	Useful    uint64  `json:"filters_useful"`
	Positives uint64  `json:"filter_positives"`
	FPR       float64 `json:"false_positive_rate,omitempty"` // if no key was there

	CacheHits   int64 `json:"block_cache_hits"`
	CacheMisses int64 `json:"block_cache_misses"`
	store.Reads
}

// Memory is the memory of the filters, the cache and the process, in bytes.
type Memory struct {
	Filters    uint64 `json:"filter_bytes"` // of all tables; they are in the block cache while they are used
	BlockCache int64  `json:"block_cache_bytes"`
	Process    int    `json:"process_bytes"` // 0 where the system does not say
	Peak       int    `json:"process_peak_bytes"`
}

// Background is the time of flushes and compactions, all of the process together. Compactions
// that run at once count each.
type Background struct {
	FlushSeconds      float64 `json:"flush_seconds"`
	CompactionSeconds float64 `json:"compaction_seconds"`
	FlushedBytes      int64   `json:"flushed_bytes"`
	CompactedBytes    int64   `json:"compacted_bytes"` // that compactions wrote
}
