package pebble

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// ForRocksDB is [FilterPolicy] for tables that RocksDB will read, which have the format RocksDBv2. They
// record the filter as rocksdb.BuiltinBloomFilter, RocksDB's name of FastLocal, Ribbon and legacy
// filters: RocksDB uses no filter of another name. See [docs/rocksdb.md].
//
// Danger: Pebble's own bloom.FilterPolicy has that name, and reads every filter as a legacy one. It
// panics on small FastLocal and most Ribbon filters, and answers "no" for most keys of larger ones:
// Pebble loses them. It must never read such a table, neither as a level's policy nor in
// Options.Filters. [Filters], [Legacy] and ForRocksDB read all three formats. Tables that Pebble's own
// policy may read are written with it, or with Legacy: RocksDB uses those filters, too.
//
// comparer is the Comparer of the store, or of the writer. It must be nil, pebble.DefaultComparer, or
// without a Split: RocksDB looks up whole keys, and would lose keys of which the filter has only
// prefixes. A policy cannot see the Comparer that writes.
//
// ForRocksDB panics if p's filters are not RocksDB's, if the Comparer has a Split, and where
// FilterPolicy does.
//
// [docs/rocksdb.md]:
// https://github.com/simdbloom/simdbloom/blob/HEAD/docs/rocksdb.md#tables-that-pebble-writes-for-rocksdb
func ForRocksDB(p *policy.Policy, comparer *pebble.Comparer, options ...simdbloom.Option) pebble.FilterPolicy {
	if p == nil {
		panic("pebble: ForRocksDB: the policy is nil")
	}
	if !inRocksDB(p) {
		panic(fmt.Sprintf("pebble: ForRocksDB: RocksDB does not read the filters of %v", p))
	}
	return recordedAs(bloom.FilterPolicy(10).Name(), "ForRocksDB: RocksDB", p, comparer, options) // Pebble's own has RocksDB's name
}

// ForSpeedb is [FilterPolicy] for tables that Speedb, from 2.2 on, will read, which have the format RocksDBv2. They
// record the filter as speedb_paired_bloom_filter: Speedb's policy speedb.PairedBloomFilter uses no filter of another
// name. p must be the policy of that name, or of simdbloom.Paired32.XXPH3, the batches and the key hash of Speedb.
// Speedb 2.1, whose batches are larger, would lose keys.
//
// The policy reads the filters of all Speedb's versions, 2.1 included, as Speedb's name in [Filters] does. See
// [docs/rocksdb.md].
//
// comparer is as in ForRocksDB. ForSpeedb panics if p's filters are not Speedb's, if the Comparer has a Split, and
// where FilterPolicy does.
//
// [docs/rocksdb.md]:
// https://github.com/simdbloom/simdbloom/blob/HEAD/docs/rocksdb.md#tables-that-pebble-writes-for-rocksdb
func ForSpeedb(p *policy.Policy, comparer *pebble.Comparer, options ...simdbloom.Option) pebble.FilterPolicy {
	if p == nil {
		panic("pebble: ForSpeedb: the policy is nil")
	}
	if p.Name() != speedbs {
		panic(fmt.Sprintf("pebble: ForSpeedb: Speedb does not read the filters of %v", p))
	}
	as := recordedAs(speedbName, "ForSpeedb: Speedb", p, comparer, options)
	as.reader = readerOf(speedbName)
	return as
}

const (
	speedbs    = "simdbloom.Paired32.XXPH3"   // this library's name for Speedb's filters
	speedbName = "speedb_paired_bloom_filter" // SpdbPairedBloomFilterPolicy::kClassName
)

// recordedAs returns p as a policy whose filters are recorded under another program's name.
func recordedAs(name, who string, p *policy.Policy, comparer *pebble.Comparer, options []simdbloom.Option) *recorded {
	if comparer != nil && comparer != pebble.DefaultComparer && comparer.Split != nil {
		panic(fmt.Sprintf("pebble: %s looks up whole keys, which filters of prefixes do not have: the Comparer %q has a Split", who, comparer.Name))
	}
	return &recorded{*FilterPolicy(p, options...).(*filterPolicy), name}
}

// inRocksDB reports whether RocksDB reads the filters that the policy builds.
func inRocksDB(p *policy.Policy) bool {
	switch p.Format() {
	case simdbloom.FastLocal, simdbloom.Ribbon:
		return p.Hash() == keyhash.XXPH3
	case simdbloom.Legacy:
		return p.Hash() == keyhash.RocksDB32
	}
	return false
}

type recorded struct {
	filterPolicy
	name string
}

func (p *recorded) Name() string { return p.name }
