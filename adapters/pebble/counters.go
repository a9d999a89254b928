package pebble

import (
	"encoding/json"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/keyhash"
)

// Counted returns p, which counts in c the lookups in its filters and their answers. p may
// be any policy, Pebble's own too: measure what that does before you change anything.
// Several policies may share one Counters. A lookup costs some nanoseconds more.
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

// Counters count lookups in filters and their answers; see [Counted]. The zero Counters
// are ready. Any number of goroutines may count, and read them, at once: there are 64 of each
// counter, a cache line apart, and a key's hash says which one counts. They take 4 KiB, and
// must not be copied.
//
// Pebble's own, Metrics().Filter, do not tell a true positive from a false one, since a
// filter cannot. Code that reads the store can: it calls Found.
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

// Found reports that a lookup of key, which asked filters, found it: one of their answers
// was a true positive. Keys found in a memtable, or in L6 by Pebble's DB.Get, asked none; who
// reports these too makes FalsePositives too low.
func (c *Counters) Found(key []byte) { c.shardOf(key).found.Add(1) }

// Read returns what was counted so far. While others count, the numbers may be of slightly
// different moments. It costs some 100 nanoseconds.
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

// String is Read().String(), as expvar wants it.
func (c *Counters) String() string { return c.Read().String() }

// Counts are what Counters counted, under the names that RocksDB's statistics have for it
// (include/rocksdb/statistics.h).
type Counts struct {
	Useful        uint64 // BLOOM_FILTER_USEFUL: "no", which saved a table's blocks
	Positives     uint64 // BLOOM_FILTER_FULL_POSITIVE: "may contain"
	TruePositives uint64 // BLOOM_FILTER_FULL_TRUE_POSITIVE: of these the ones that Found reported
}

// Asked returns how many questions the filters were asked: a lookup asks each table that
// it comes to.
func (c Counts) Asked() uint64 { return c.Useful + c.Positives }

// FalsePositives returns how many answers "may contain" nobody reported as found.
func (c Counts) FalsePositives() uint64 {
	return c.Positives - min(c.Positives, c.TruePositives)
}

// FPR returns the false-positive rate: of the questions for keys that a table does not
// hold, the share that its filter did not answer with "no". It is 0 where there were none.
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

// String returns a JSON object, with the names that RocksDB's statistics have.
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
