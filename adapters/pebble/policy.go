package pebble

import (
	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/policy"
)

// FastLocal returns a Pebble policy of RocksDB's FastLocal filter. Use it up to 12 bits
// per key. A lookup costs one cache line. The false-positive rate is 0.97 % at 10 bits per
// key, and 0.084 % at 16. It panics on NaN and infinities, and where [FilterPolicy] does.
func FastLocal(bitsPerKey float64, options ...simdbloom.Option) pebble.FilterPolicy {
	return FilterPolicy(policy.FastLocal(bitsPerKey), options...)
}

// Paired returns a Pebble policy of Speedb's Paired filter. Use it above 12 bits per
// key. A lookup costs one cache line for an absent key, and two for a present one. The
// false-positive rate is 1 in 59,000 at 23.4 bits per key. Filters of less than 4 KiB
// are FastLocal's. It panics on NaN and infinities, and where [FilterPolicy] does.
func Paired(bitsPerKey float64, options ...simdbloom.Option) pebble.FilterPolicy {
	return FilterPolicy(policy.Paired(bitsPerKey), options...)
}

// Linear returns a Pebble policy of linear filters, which take the least memory for a
// false-positive rate: 1 in 4 million at 23.4 bits per key. A lookup costs one cache line, and
// one or two bytes of headers. Building costs some tens of nanoseconds a key. It panics on NaN and infinities,
// and where [FilterPolicy] does.
func Linear(bitsPerKey float64, options ...simdbloom.Option) pebble.FilterPolicy {
	return FilterPolicy(policy.Linear(bitsPerKey), options...)
}

// Ribbon returns a Pebble policy of RocksDB's Ribbon filter, which has the false-positive rate of
// FastLocal with the same bits per key, in three fifths to three quarters of its memory. A lookup costs
// four to nine cache lines, side by side. At low rates, building and batches are slower than Linear's. It panics
// on NaN and infinities, and where [FilterPolicy] does.
func Ribbon(bitsPerKey float64, options ...simdbloom.Option) pebble.FilterPolicy {
	return FilterPolicy(policy.Ribbon(bitsPerKey), options...)
}

// SplitBlock returns a Pebble policy of Parquet's split-block filter, for stores whose filters other programs
// read as Parquet's. A lookup costs one cache line. In the same memory it has more false positives than
// FastLocal: 1.3 % at 10 bits per key, 0.13 % at 16. It panics on NaN and infinities, and where
// [FilterPolicy] does.
func SplitBlock(bitsPerKey float64, options ...simdbloom.Option) pebble.FilterPolicy {
	return FilterPolicy(policy.SplitBlock(bitsPerKey), options...)
}

// LevelDB returns a Pebble policy of LevelDB's filter, for stores whose filters other programs read as
// LevelDB's. A lookup costs a cache line for each bit that it tests. The false-positive rate at 10 bits per key is
// 0.89 % with 20,000 keys, and 1.3 % with a million, since the key hash has 32 bits. Bits per key are rounded to a
// whole number. It panics on NaN and infinities, and where [FilterPolicy] does.
func LevelDB(bitsPerKey float64, options ...simdbloom.Option) pebble.FilterPolicy {
	return FilterPolicy(policy.LevelDB(bitsPerKey), options...)
}

// WithFPR returns a Pebble policy of a format whose filters have a false-positive rate, whatever the number of a
// table's keys: see [policy.WithFPR]. A rate that the format cannot have is an error. It panics where [FilterPolicy]
// does.
func WithFPR(format simdbloom.Format, fpr float64, options ...simdbloom.Option) (pebble.FilterPolicy, error) {
	p, err := policy.WithFPR(format, fpr)
	if err != nil {
		return nil, err
	}
	return FilterPolicy(p, options...), nil
}

// FilterPolicy returns p as a Pebble policy, for LevelOptions.FilterPolicy and
// Options.Filters. Its name is p.Name(). Use it for the names that [policy.Parse] reads, such
// as "rocksdb.BloomFilter:10". RocksDB and Speedb use no filters of these names: see [ForRocksDB] and [ForSpeedb].
//
// No bytes of a filter make the policy panic. Bytes of another format, truncated ones, and
// kinds of filters that Pebble may get later, may contain every key. If a filter cannot be
// built (a format holds 4 GiB at most), one that may contain every key is written. Below 0.5
// bits per key all filters may contain every key.
//
// Any number of goroutines may use the policy at once. MayContain allocates nothing and
// keeps nothing. It costs as much as p.MayContain: the key's hash and a few nanoseconds, or a
// cache miss for each line that is not cached. A writer keeps 8 bytes a key until its table
// ends.
//
// The options are passed to the builder of every table's filter: [simdbloom.WithMaxBytes] limits
// a filter, [simdbloom.WithVerification] looks up all of a table's keys before the filter is
// written, and [simdbloom.WithConcurrency] lets a compaction use several CPUs. FilterPolicy
// panics on options that p.NewBuilder refuses, and if p is nil.
//
// Pebble does not tell a policy the level of a table. So a policy such as "ribbonfilter:10:2"
// builds Ribbon filters in all levels, unless [policy.WithLevel] gives the level: each of Pebble's
// levels has LevelOptions of its own, which may have another policy of the same name.
func FilterPolicy(p *policy.Policy, options ...simdbloom.Option) pebble.FilterPolicy {
	if p == nil {
		panic("pebble: FilterPolicy: the policy is nil")
	}
	p.NewBuilder(options...) // panics here, and not in a compaction
	reader := *p
	if p.Name() == speedbs { // Speedb's own policy would not rely on the name
		reader = readerOf(speedbs)
	}
	return &filterPolicy{reader, p, options}
}

// readerOf returns the policy that reads filters recorded under a name.
func readerOf(recorded string) policy.Policy {
	p, err := policy.ForName(recorded)
	if err != nil {
		panic("pebble: " + err.Error())
	}
	return *p
}

type filterPolicy struct {
	reader  policy.Policy // by itself: a lookup would have to load a pointer
	policy  *policy.Policy
	options []simdbloom.Option
}

func (p *filterPolicy) Name() string { return p.policy.Name() }

// String is the policy's text, such as "simdbloom.Paired:23.4".
func (p *filterPolicy) String() string { return p.policy.String() }

func (p *filterPolicy) MayContain(ftype pebble.FilterType, filter, key []byte) bool {
	// Pebble writes no filter without keys: one of zero bytes is truncated.
	if ftype != pebble.TableFilter || len(filter) == 0 {
		return true
	}
	return p.reader.MayContain(filter, key)
}

func (p *filterPolicy) NewWriter(pebble.FilterType) pebble.FilterWriter {
	return &filterWriter{p.policy.NewBuilder(p.options...)}
}

type filterWriter struct{ builder *simdbloom.Builder }

func (w *filterWriter) AddKey(key []byte) { w.builder.Add(key) }

func (w *filterWriter) Finish(dst []byte) []byte { return policy.AppendFilter(dst, w.builder) }
