package pebble

import (
	"github.com/cockroachdb/pebble/v2"

	"github.com/simdbloom/simdbloom/policy"
)

// FastLocal returns a Pebble policy of RocksDB's FastLocal filter: the choice up to some
// 12 bits per key, where a question costs one cache line. 10 bits per key give 0.97 % false
// positives, 16 give 0.085 %. It panics on NaN and infinities.
func FastLocal(bitsPerKey float64, options ...policy.BuilderOption) pebble.FilterPolicy {
	return FilterPolicy(policy.FastLocal(bitsPerKey), options...)
}

// Paired returns a Pebble policy of Speedb's Paired filter: the choice from some 16 bits
// per key on. 23.4 bits per key give 1 false positive in 59,000. Tables below some
// thousands of keys get more bits than that, since a batch takes 8 KiB. It panics on NaN
// and infinities.
func Paired(bitsPerKey float64, options ...policy.BuilderOption) pebble.FilterPolicy {
	return FilterPolicy(policy.Paired(bitsPerKey), options...)
}

// FilterPolicy returns p as Pebble takes it, for pebble.LevelOptions.FilterPolicy and
// pebble.Options.Filters. Its name is p.Name().
//
// No bytes of a filter make the policy panic: those of another format, truncated ones, and
// kinds of filters that Pebble may have one day, may contain every key. Where no filter can
// be built (a format holds 4 GiB at most), one that may contain every key is written.
//
// Any number of goroutines may use the policy at once. MayContain allocates nothing and
// keeps nothing; what it costs is the key's hash and bloom.MayContainHash or
// paired.MayContainHash, where the filter lies in Pebble's block cache. A writer keeps
// 8 bytes a key until its table ends. Below 0.5 bits per key the filters may contain every
// key.
//
// The options are those of every table's filter builder: [policy.WithMaxBytes] limits a filter,
// [policy.WithVerification] looks up all of a table's keys before the filter is written, and
// [policy.WithConcurrency] lets a compaction use several CPUs. FilterPolicy panics on those that
// p.NewBuilder refuses.
func FilterPolicy(p policy.Policy, options ...policy.BuilderOption) pebble.FilterPolicy {
	p.NewBuilder(options...) // panics here, and not in a compaction
	return &filterPolicy{p, options, policy.LookupOf(p)}
}

type filterPolicy struct {
	policy  policy.Policy
	options []policy.BuilderOption
	lookup  policy.Lookup
}

func (p *filterPolicy) Name() string { return p.policy.Name() }

// String is the policy's text, such as "simdbloom.Paired:23.4".
func (p *filterPolicy) String() string { return p.policy.String() }

func (p *filterPolicy) MayContain(ftype pebble.FilterType, filter, key []byte) bool {
	// Pebble writes no filter without keys: no bytes are a truncated one.
	if ftype != pebble.TableFilter || len(filter) == 0 {
		return true
	}
	return p.lookup(filter, key)
}

func (p *filterPolicy) NewWriter(pebble.FilterType) pebble.FilterWriter {
	return &filterWriter{p.policy.NewBuilder(p.options...)}
}

type filterWriter struct{ builder policy.Builder }

func (w *filterWriter) AddKey(key []byte) { w.builder.Add(key) }

func (w *filterWriter) Finish(dst []byte) []byte { return policy.AppendFilter(dst, w.builder) }
