package pebble

import (
	"encoding/json"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/keyhash"
)

// Counted returns p as a policy that counts in c the lookups in its filters and their
// answers. p may be any policy, even Pebble's own: measure that before you change anything.
// Several policies may share one Counters. Counting adds some nanoseconds to a lookup.
func Counted(p pebble.FilterPolicy, c *Counters) pebble.FilterPolicy { return &counted{p, c} }

type counted struct {
	pebble.FilterPolicy
	counters *Counters
}

func (p *counted) MayContain(ftype pebble.FilterType, filter, key []byte) bool {
	may := p.FilterPolicy.MayContain(ftype, filter, key)
	shard := p.counters.shardOf(key)
	if may {
		shard.passed.Add(1)
	} else {
		shard.rejected.Add(1)
	}
	return may
}

// Counters count lookups in filters and their answers: see [Counted]. The zero Counters
// are ready to use. Any number of goroutines may count and read at once: there are 64 of
// each counter, a cache line apart, and a key's hash chooses one. Counters take 4 KiB, and
// must not be copied.
//
// Pebble's own counters, Metrics().Filter, do not tell true positives from false ones, since
// a filter cannot. Code that reads the store can: it calls [Counters.Found].
//
// Counters are an expvar.Var:
//
//	expvar.Publish("filters", &counters)
type Counters struct{ shards [counterShards]counterShard }

const counterShards = 64

type counterShard struct {
	rejected, passed, found atomic.Uint64
	_                       [64 - 3*8]byte
}

func (c *Counters) shardOf(key []byte) *counterShard {
	return &c.shards[keyhash.XX64.Sum64(key)%counterShards]
}

// Found counts a true positive: a lookup of key queried filters and found the key. Do not
// call it for keys that were found without a filter, in a memtable or by Pebble's DB.Get in
// L6: FalsePositives would be too low.
func (c *Counters) Found(key []byte) { c.shardOf(key).found.Add(1) }

// Read returns what was counted so far. While other goroutines count, the numbers may be of
// slightly different moments. It takes about 100 nanoseconds.
func (c *Counters) Read() Counts {
	var counts Counts
	for i := range c.shards {
		shard := &c.shards[i]
		counts.TruePositives += shard.found.Load() // first: not more than positives
		counts.Positives += shard.passed.Load()
		counts.Useful += shard.rejected.Load()
	}
	return counts
}

// String returns Read().String(), for package expvar.
func (c *Counters) String() string { return c.Read().String() }

// Counts are what [Counters] counted. The fields' comments have the names in RocksDB's
// statistics (include/rocksdb/statistics.h).
type Counts struct {
	Useful        uint64 // BLOOM_FILTER_USEFUL: "no", which saved a table's blocks
	Positives     uint64 // BLOOM_FILTER_FULL_POSITIVE: "may contain"
	TruePositives uint64 // BLOOM_FILTER_FULL_TRUE_POSITIVE: those that Found reported
}

// Asked returns the number of filter queries. A lookup queries the filter of each table that
// it comes to.
func (c Counts) Asked() uint64 { return c.Useful + c.Positives }

// FalsePositives returns the number of answers "may contain" that Found did not report.
func (c Counts) FalsePositives() uint64 {
	return c.Positives - min(c.Positives, c.TruePositives)
}

// FPR returns the false-positive rate: of the queries for keys that a table does not have,
// the share that its filter answered with "may contain". It is 0 without such queries.
func (c Counts) FPR() float64 {
	return float64(c.FalsePositives()) / float64(max(1, c.FalsePositives()+c.Useful))
}

// Sub returns what was counted since earlier.
func (c Counts) Sub(earlier Counts) Counts {
	return Counts{
		Useful:        c.Useful - earlier.Useful,
		Positives:     c.Positives - earlier.Positives,
		TruePositives: c.TruePositives - earlier.TruePositives,
	}
}

// String returns a JSON object with the names of RocksDB's statistics.
func (c Counts) String() string {
	text, _ := json.Marshal(struct {
		Asked          uint64  `json:"bloom.filter.asked"`
		Useful         uint64  `json:"bloom.filter.useful"`
		Positives      uint64  `json:"bloom.filter.full.positive"`
		TruePositives  uint64  `json:"bloom.filter.full.true.positive"`
		FalsePositives uint64  `json:"bloom.filter.full.false.positive"`
		FPR            float64 `json:"bloom.filter.fpr"`
	}{c.Asked(), c.Useful, c.Positives, c.TruePositives, c.FalsePositives(), c.FPR()})
	return string(text)
}
